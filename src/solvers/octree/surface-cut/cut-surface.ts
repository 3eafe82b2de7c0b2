// Cuts a closed mesh along a patch: opens it there and closes both sides with the same face, so that it is closed again with
// the same volume, in as many pieces as the patch makes. Works on any closed mesh.
// Both sides use one triangulation, and where the cut ends inside the solid they are sewn to each other: closedness is
// combinatorial and owes nothing to rounding.

import { findDegenerateTriangles } from '../../../mesh/degenerate-triangles.js';
import { boundsOf, diagonalOf, signedVolume } from '../../../mesh/measure.js';
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js';
import type { SolidModule } from '../../blade.js';
import type { CutPatch } from '../patch.js';
import { type CapLoop, findLoops } from './cap-loops.js';
import { type ClosedPiece, takePieces } from './closed-pieces.js';
import { findOpenEdges } from './closedness.js';
import { CutFailure } from './cut-failure.js';
import { type CapVertex, CutVertices } from './cut-vertices.js';
import { cutByFallback } from './fallback-cut.js';
import { giveAreas } from './flat-faces.js';
import { isInSolid } from './in-solid.js';
import { openSurface } from './open-surface.js';
import { refineCap } from './refine-cap.js';
import type { SurfaceCut } from './surface-cut.js';
import { isInLoop, isSlit, loopArea, triangulate } from './triangulate.js';

export type { SurfaceCut } from './surface-cut.js';

/** How far a patch is moved at first where it fails as it stands, relative to the mesh, and how often: at most by a hundredth. */
const SHIFT = 1e-5;
const TRIES = 13;
/** How much shorter the edges of faces may be where the cut fails as it stands. */
const FINER = 0.5;
/** The most that a volume may change by rounding, relative to the mesh's box. */
const VOLUME_ROUNDING = 1e-12;

/**
 * The mesh after a cut; itself, with no new vertices, where the patch misses it. Each closed piece is cut by itself: pieces that lie in
 * each other have faces of their own, which one face for all would sew together.
 * @param spacing the longest edge of cut faces [m].
 * @param fallback cuts what is refused otherwise.
 * @throws CutFailure where neither the patch nor any moved a little gives a closed mesh.
 */
export function cutSurface(
  mesh: TriangleMesh,
  patch: CutPatch,
  spacing = Infinity,
  fallback?: SolidModule,
): SurfaceCut {
  const pieces = takePieces(mesh);
  if (pieces.length === 1) return cutPiece(mesh, patch, spacing, fallback);
  const cuts = pieces.map((piece) => cutPiece(piece.mesh, patch, spacing, fallback));
  return joinCuts(mesh, pieces, cuts);
}

function cutPiece(mesh: TriangleMesh, patch: CutPatch, spacing: number, fallback?: SolidModule): SurfaceCut {
  // A sliver that rounding has turned inside out has nothing in it to be cut.
  if (!(signedVolume(mesh.positions, mesh.triangles) > 0)) return uncut(mesh);
  const size = diagonalOf(boundsOf(mesh.positions));
  for (let n = 0; ; n++) {
    try {
      // Finer faces first: theirs may have an area where others have none. Then moved up and down by turns, ever further.
      const shift = (n % 2 === 0 ? -1 : 1) * SHIFT * size * (1 << (2 * Math.floor(Math.max(0, n - 2) / 2)));
      return cutOnce(mesh, n < 2 ? patch : patch.moved(shift), n === 0 ? spacing : FINER * spacing);
    } catch (problem) {
      if (!(problem instanceof CutFailure)) throw problem;
      if (n + 1 < TRIES) continue;
    }
    break;
  }
  try {
    return cutOnce(mesh, patch, spacing, true);
  } catch (problem) {
    if (!(problem instanceof CutFailure && fallback)) throw problem;
    return cutByFallback(mesh, patch, fallback);
  }
}

const uncut = (mesh: TriangleMesh): SurfaceCut => {
  const firstFace = mesh.triangles.length / 3;
  return { mesh, origins: [], charts: [], firstFace, sources: Array.from({ length: firstFace }, (_, t) => t) };
};

/** Cuts of the pieces of a mesh as one of the whole, whose vertices keep their numbers. */
function joinCuts(mesh: TriangleMesh, pieces: readonly ClosedPiece[], cuts: readonly SurfaceCut[]): SurfaceCut {
  const origins = cuts.flatMap((cut, n) =>
    cut.origins.map(({ between, side }) => ({
      between: between.map(([vertex, weight]) => [pieces[n].vertices[vertex], weight] as const),
      side,
    })),
  );
  const positions = new Float64Array(mesh.positions.length + 3 * origins.length);
  positions.set(mesh.positions);
  const kept: number[] = [];
  const faces: number[] = [];
  const sources: number[] = [];
  let end = mesh.positions.length / 3;
  cuts.forEach((cut, n) => {
    const { vertices, triangles } = pieces[n];
    positions.set(cut.mesh.positions.subarray(3 * vertices.length), 3 * end);
    cut.mesh.triangles.forEach((corner, k) => {
      (k < 3 * cut.firstFace ? kept : faces).push(
        corner < vertices.length ? vertices[corner] : end + corner - vertices.length,
      );
    });
    for (const source of cut.sources) sources.push(triangles[source]);
    end += cut.origins.length;
  });
  const charts = cuts.flatMap((cut) => cut.charts);
  if (origins.length === 0) return { mesh, origins, charts, firstFace: mesh.triangles.length / 3, sources };
  const triangles = Uint32Array.from([...kept, ...faces]);
  const isPaired = cuts.every((cut) => cut.isPaired !== false);
  return { mesh: { positions, triangles }, origins, charts, firstFace: kept.length / 3, sources, isPaired };
}

/** @param givesAreas whether triangles without area get one. */
function cutOnce(mesh: TriangleMesh, patch: CutPatch, spacing: number, givesAreas = false): SurfaceCut {
  const vertices = new CutVertices(mesh, patch);
  const { triangles, sources, segments } = openSurface(mesh, patch, vertices);
  const firstFace = triangles.length / 3;
  if (segments.length === 0) return { mesh, origins: [], charts: [], firstFace, sources };
  const loops = findLoops(segments, vertices, (u, v) => isInSolid(mesh, patch.lift(u, v)));
  for (const { outline, holes } of sortLoops(loops)) {
    const faces = refineCap(triangulate(outline, holes), vertices, spacing);
    for (const [a, b, c] of faces) triangles.push(c.above, b.above, a.above, a.below, b.below, c.below);
  }
  if (givesAreas) giveAreas(vertices, triangles);
  const result = { positions: Float64Array.from(vertices.positions), triangles: Uint32Array.from(triangles) };
  verify(mesh, result);
  return { mesh: result, origins: vertices.origins, charts: vertices.charts, firstFace, sources };
}

/** Loops as faces: each outline with the holes in it. */
function sortLoops(loops: readonly CapLoop[]): { outline: readonly CapVertex[]; holes: (readonly CapVertex[])[] }[] {
  const faces = loops
    .map((loop) => ({
      loop,
      area: loopArea(loop.corners),
      holes: [] as (readonly CapVertex[])[],
      isOnSurface: loop.isOnSurface,
    }))
    .sort((a, b) => a.area - b.area);
  const contains = (face: (typeof faces)[number], { corners }: CapLoop): boolean =>
    corners.some((corner) => isInLoop(face.loop.corners, corner));
  // What encloses nothing goes around an older cut within a face: a hole, whichever sign rounding gives it.
  const wide = faces.filter(({ loop, area }) => area >= 0 && !isSlit(loop.corners));
  const holes = faces.filter(
    (face) => face.area < 0 || (isSlit(face.loop.corners) && wide.some((other) => contains(other, face.loop))),
  );
  const outlines = faces.filter((face) => !holes.includes(face));
  for (const { loop, area } of holes) {
    const around = outlines.find((face) => face.area > -area && contains(face, loop));
    if (!around) throw new CutFailure('a hole in the cut is in no face');
    around.holes.push(loop.corners);
    around.isOnSurface = true;
  }
  return outlines.filter((face) => face.isOnSurface).map(({ loop, holes }) => ({ outline: loop.corners, holes }));
}

function verify(before: TriangleMesh, after: TriangleMesh): void {
  // Edges of the mesh that are left as they were are as closed as they were.
  const open = findOpenEdges(after.triangles, after.positions.length / 3, before.positions.length / 3);
  if (open.length > 0) throw new CutFailure(`the cut leaves ${open.length} open edges`);
  const flat = findDegenerateTriangles(after).length - findDegenerateTriangles(before).length;
  if (flat > 0) throw new CutFailure(`the cut leaves ${flat} triangles without area`);
  const box = diagonalOf(boundsOf(before.positions));
  const change = signedVolume(after.positions, after.triangles) - signedVolume(before.positions, before.triangles);
  if (!(Math.abs(change) <= VOLUME_ROUNDING * box * box * box)) {
    throw new CutFailure(`the cut changes the volume by ${change}`);
  }
}
