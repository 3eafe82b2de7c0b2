// Turns triangles so that neighbours agree and every patch faces outwards. A closed patch shows by its volume which side
// is out; an open one by rays: from the outside of a body more of them escape.
// Based on: K. Takayama et al., A simple method for correcting facet orientations in polygon meshes based on ray casting,
// 2014 (the vote of rays; fixed directions instead of random ones).

import { cosine, sine } from '../../math/trigonometry.js';
import type { Vec3 } from '../../math/vec3.js';
import { boundsOf, diagonalOf, triangleArea } from '../measure.js';
import { orient } from '../orient.js';
import { analyseTopology } from '../topology.js';
import type { TriangleMesh } from '../triangle-mesh.js';
import { buildTriangleTree, castRay, type TriangleTree } from '../triangle-tree.js';
import type { RepairLog } from './repair-report.js';
import type { TrackedMesh } from './tracked-mesh.js';

/** Rays for each open patch, and for all together: a soup of single triangles has thousands of patches. */
const RAYS_PER_PATCH = 200;
const RAYS = 40_000;
/** Origins are lifted off the surface by this share of the diagonal. */
const LIFT = 1e-6;
/** Tilt of a ray against its triangle's normal, from the normal itself to 60°. */
const TILTS = [0, 0.6, 1.2, 1.7];
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Rays that escape from the front, less those that escape from the back. */
function vote(tree: TriangleTree, mesh: TriangleMesh, t: number, lift: number, count: number): number {
  const { positions, triangles } = mesh;
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
  const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
  const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const scale = (w: number[]) => 1 / Math.sqrt(w[0] ** 2 + w[1] ** 2 + w[2] ** 2);
  const [un, nn] = [scale(u), scale(n)];
  const side = u.map((value) => value * un);
  const normal = n.map((value) => value * nn);
  const across = [
    normal[1] * side[2] - normal[2] * side[1],
    normal[2] * side[0] - normal[0] * side[2],
    normal[0] * side[1] - normal[1] * side[0],
  ];
  let balance = 0;
  for (let i = 0; i < count; i++) {
    const tilt = TILTS[i % TILTS.length];
    const [x, y] = [tilt * cosine(GOLDEN_ANGLE * i), tilt * sine(GOLDEN_ANGLE * i)];
    // Somewhere in the triangle, elsewhere for each ray.
    const [s, r] = [0.15 + 0.35 * ((i * 0.618) % 1), 0.15 + 0.35 * ((i * 0.414) % 1)];
    for (const front of [1, -1]) {
      const point = (k: number) => positions[a + k] + s * u[k] + r * v[k] + front * lift * normal[k];
      const way = (k: number) => front * normal[k] + x * side[k] + y * across[k];
      const origin: Vec3 = [point(0), point(1), point(2)];
      if (castRay(tree, origin, [way(0), way(1), way(2)], { skip: (hit) => hit === t }) === null) balance += front;
    }
  }
  return balance;
}

/** Triangles of a patch to ask: all of a few, or some spread over their area. */
function chooseTriangles(mesh: TriangleMesh, patch: readonly number[], count: number): number[] {
  if (patch.length <= count) return [...patch];
  const { positions, triangles } = mesh;
  const areas = patch.map((t) =>
    triangleArea(positions, ...([0, 1, 2].map((k) => 3 * triangles[3 * t + k]) as [number, number, number])),
  );
  const step = areas.reduce((sum, area) => sum + area, 0) / count;
  const chosen: number[] = [];
  let passed = step / 2;
  areas.forEach((area, i) => {
    passed += area;
    if (passed < step) return;
    chosen.push(patch[i]);
    passed %= step;
  });
  return chosen;
}

/** One winding per patch, outwards. One-sided patches stay as they are. */
export function faceOutwards(tracked: TrackedMesh, log: RepairLog): TrackedMesh {
  const oriented = orient(tracked.mesh);
  const { mesh } = oriented;
  const { adjacency, openEdges, crowdedEdges, winding } = analyseTopology(mesh);
  const { patches, patchCount, oneSided } = winding;
  const open = new Uint8Array(patchCount);
  for (const edges of [openEdges, crowdedEdges]) {
    for (const e of edges) {
      const [from, to] = [adjacency.edgeTriangleOffsets[e], adjacency.edgeTriangleOffsets[e + 1]];
      for (let i = from; i < to; i++) open[patches[adjacency.edgeTriangles[i]]] = 1;
    }
  }
  const members: number[][] = Array.from({ length: patchCount }, () => []);
  for (let t = 0; t < patches.length; t++) if (open[patches[t]] && !oneSided[patches[t]]) members[patches[t]].push(t);
  const asked = members.filter((patch) => patch.length > 0);
  const triangles = mesh.triangles.slice();
  if (asked.length > 0) {
    const tree = buildTriangleTree(mesh.positions, mesh.triangles);
    const lift = LIFT * diagonalOf(boundsOf(mesh.positions));
    const rays = Math.max(2, Math.min(RAYS_PER_PATCH, Math.floor(RAYS / asked.length)));
    for (const patch of asked) {
      const chosen = chooseTriangles(mesh, patch, rays / 2);
      const each = Math.max(1, Math.round(rays / 2 / chosen.length));
      let balance = 0;
      for (const t of chosen) balance += vote(tree, mesh, t, lift, each);
      if (balance >= 0) continue;
      for (const t of patch) {
        triangles[3 * t + 1] = mesh.triangles[3 * t + 2];
        triangles[3 * t + 2] = mesh.triangles[3 * t + 1];
      }
    }
  }
  let turned = 0;
  for (let i = 1; i < triangles.length; i += 3) {
    // A turn shows in the order of the last two corners, as the first stays.
    if (triangles[i] !== tracked.mesh.triangles[i]) turned++;
  }
  log.add('turned-triangles', turned, 'triangle turned to face outwards', 'triangles turned to face outwards');
  if (turned === 0) return tracked;
  return { ...tracked, mesh: { positions: mesh.positions, triangles } };
}
