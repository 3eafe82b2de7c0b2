// Bodies that were made of a file are shown by the file's own vertices, seams and all: each is the vertex that it was welded into, or,
// where the body is another surface (a cage, a mended mesh), it follows that as skins do.

import { embed } from '../embedding/embedding.js';
import { ReferenceSkin } from '../embedding/skin.js';
import { groupCoincidentVertices } from '../mesh/coincident-vertices.js';
import type { MeshLook } from '../mesh/io/read-look.js';
import { boundsOf, diagonalOf } from '../mesh/measure.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { asVisibleMesh } from '../mesh/visible-mesh.js';
import { NO_VERTEX, WELD_DEFAULTS, weld } from '../mesh/weld.js';
import { placePoints } from '../scenes/pose-scene.js';
import { SceneError, showValue } from '../scenes/scene-errors.js';
import { isSolidFile } from '../scenes/scene-mesh.js';
import type { Scene } from '../scenes/scene-schema.js';
import { poserFor } from '../solvers/built-in.js';
import type { Track } from './baked-scene.js';
import { fileDrawn } from './drawn-mesh.js';

/** What reads how the files of bodies look. */
export interface LookSource {
  /** Gives how a mesh file looks that a body names by its path, as `readLook` does. Without it bodies show their own vertices. */
  loadLook?: (path: string) => Promise<MeshLook>;
}

/**
 * How bodies of a scene look at rest, in the coordinates that they are prepared in; undefined for those without a file.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }] });
 * const looks = await sceneLooks(scene, [0], {}); // none: the body is not made of a file
 * ```
 */
export function sceneLooks(
  { bodies }: Scene,
  chosen: readonly number[],
  { loadLook }: LookSource,
): Promise<(MeshLook | undefined)[]> {
  return Promise.all(
    chosen.map(async (index) => {
      const body = bodies[index];
      if (!loadLook || typeof body.mesh !== 'string' || isSolidFile(body.mesh)) return undefined;
      try {
        return placeLook(await loadLook(body.mesh), body);
      } catch (error) {
        const got = `${showValue(body.mesh)} (${(error as Error).message})`;
        throw new SceneError(`bodies[${index}].mesh`, `expected a mesh that can be shown, got ${got}`);
      }
    }),
  );
}

/** Posed bodies are bound where they stand, others where their file has them. */
export function placeLook(look: MeshLook, body: Scene['bodies'][number]): MeshLook {
  const place = (points: Float64Array) =>
    poserFor(body.solver) ? placePoints(body, points) : points.map((x) => x * body.scale);
  return { ...look, mesh: { positions: place(look.mesh.positions), triangles: look.mesh.triangles } };
}

/**
 * A surface without a file, to be shown as those of files are.
 * @example
 * ```ts
 * const { visible } = plainLook(icosphere());
 * ```
 */
export const plainLook = (mesh: TriangleMesh): MeshLook => ({
  ...{ mesh, visible: asVisibleMesh(mesh), materials: [], missing: [] },
  sources: Uint32Array.from({ length: mesh.positions.length / 3 }, (_, v) => v),
});

/**
 * A body's track by the vertices of its file. @param n its number among the tracks, which colours what has no material.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 20 });
 * const baked = await bakeScene(scene);
 * const look = await readLook(bytes, 'model.obj');
 * const track = showLook(baked.tracks[0], look, 0); // the body as its file shows it
 * ```
 */
export function showLook(track: Track, look: MeshLook, n: number): Track {
  const show = followLook(track.mesh, look);
  const drawn = fileDrawn(look, track.name, n);
  return { ...track, mesh: look.mesh, drawn, frame: async (k) => show(await track.frame(k)) };
}

/** Positions of the file's vertices from those of the body. */
export function followLook(body: TriangleMesh, { mesh }: MeshLook): (positions: Float32Array) => Float32Array {
  const carriers = findCarriers(body, mesh);
  if (!carriers) {
    const skin = new ReferenceSkin(embed(body, mesh), () => body.positions);
    return (positions) => {
      skin.update(positions);
      return skin.positions.slice();
    };
  }
  return (positions) => {
    const shown = Float32Array.from(mesh.positions);
    carriers.forEach((vertex, v) => {
      if (vertex !== NO_VERTEX) for (let k = 0; k < 3; k++) shown[3 * v + k] = positions[3 * vertex + k];
    });
    return shown;
  };
}

/** The body's vertex of each of the file's; undefined where the surfaces are not the same. Loose vertices have none. */
function findCarriers(body: TriangleMesh, mesh: TriangleMesh): number[] | undefined {
  const welded = weld(mesh);
  if (isSame(welded.mesh.positions, body.positions)) return Array.from(welded.vertexMap);
  const all = new Float64Array(body.positions.length + mesh.positions.length);
  all.set(body.positions);
  all.set(mesh.positions, body.positions.length);
  const count = body.positions.length / 3;
  const heads = groupCoincidentVertices(all, WELD_DEFAULTS.tolerance * diagonalOf(boundsOf(mesh.positions)));
  const carriers = Array.from({ length: mesh.positions.length / 3 }, (_, v) =>
    heads[count + v] < count ? heads[count + v] : NO_VERTEX,
  );
  return mesh.triangles.every((v) => carriers[v] !== NO_VERTEX) ? carriers : undefined;
}

const isSame = (a: Float64Array, b: Float64Array): boolean => a.length === b.length && a.every((x, k) => x === b[k]);
