// What all frames of a body share: the bound mesh, its helper mesh, painted maps, and the solver with its pattern.

import { boundsOf, centreOf } from '../mesh/measure.js';
import { copyMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { findProblems, type MeshProblemCode } from '../mesh/validate.js';
import { ContactSites } from './contact-sites.js';
import { type ContactSurface, contactSurface } from './contact-surface.js';
import { ElasticEnergy } from './elastic-energy.js';
import { FrameSolver } from './frame-solver.js';
import { buildFittingHelperMesh, buildHelperMesh, type HelperMesh } from './helper-mesh.js';
import type { ObjectFrame } from './object-frame.js';
import type { DeformerSettings } from './settings.js';

export interface DeformerBody {
  /** As it was bound [m]. */
  readonly mesh: TriangleMesh;
  /** Where that is in the world. */
  readonly frame: ObjectFrame;
  /** The bound vertices in half sizes. */
  readonly bound: Float64Array;
  readonly helper: HelperMesh;
  readonly elastic: ElasticEnergy;
  readonly solver: FrameSolver;
  /** Factor on the foundation per helper vertex. */
  readonly hold: Float64Array;
  /** 1 for vertices that collide. */
  readonly takesPart: Uint8Array;
  readonly sites: ContactSites;
  /** What contact needs to know of the bound surface. */
  readonly boundContact: ContactSurface;
}

/** What a mesh may not be: without volume there is nothing to keep. Several parts and crossing triangles are no harm. */
const REFUSED: readonly MeshProblemCode[] = [
  'empty',
  'index-out-of-range',
  'non-finite-vertex',
  'unreferenced-vertex',
  'open-edge',
  'non-orientable',
  'inconsistent-winding',
  'inward-orientation',
];
/** Least hold, so that a body that is held nowhere still has a place. */
const LEAST_HOLD = 1e-3;
/** How much the smoothness of a painted map counts inside the body against its values on the surface. */
const MAP_SMOOTHNESS = 1e-2;

/** @param kernels whether they may be used: the bits are the same. */
export function buildBody(given: TriangleMesh, settings: DeformerSettings, kernels = true): DeformerBody {
  const mesh = copyMesh('mesh', given);
  const problem = findProblems(mesh).find(({ code }) => REFUSED.includes(code));
  if (problem) throw new RangeError(`mesh: expected a closed surface, but ${problem.message}`);
  const bounds = boundsOf(mesh.positions);
  const centre = centreOf(bounds);
  const scale = Math.max(...[0, 1, 2].map((k) => bounds[1][k] - bounds[0][k])) / 2;
  const frame: ObjectFrame = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), centre, scale };
  const bound = mesh.positions.map((x, i) => (x - centre[i % 3]) / scale);
  const own: TriangleMesh = { positions: bound, triangles: mesh.triangles };
  const helper = settings.depth === 'auto' ? buildFittingHelperMesh(own) : buildHelperMesh(own, settings.depth);
  const solver = new FrameSolver(helper, mesh.triangles, kernels);
  const { maps } = settings;
  const hold = paintHelper(helper, solver, maps.hold).map((value) => Math.max(LEAST_HOLD, value));
  const soft = paintHelper(helper, solver, maps.stiffness);
  const { tetrahedra: t } = helper;
  const stiffness = Float64Array.from(
    { length: t.length / 4 },
    (_, i) => (soft[t[4 * i]] + soft[t[4 * i + 1]] + soft[t[4 * i + 2]] + soft[t[4 * i + 3]]) / 4,
  );
  const elastic = new ElasticEnergy(t, hold.length, stiffness, solver.room);
  elastic.setRest(helper.positions);
  solver.bind(elastic, hold);
  const takesPart = Uint8Array.from({ length: bound.length / 3 }, (_, v) =>
    (maps.collision?.[v] ?? 1) >= 0.5 ? 1 : 0,
  );
  const sites = new ContactSites(mesh.triangles, takesPart.length);
  const boundContact = contactSurface(sites, bound, takesPart);
  return { mesh, frame, bound, helper, elastic, solver, hold, takesPart, sites, boundContact };
}

/**
 * A map painted on the surface, carried to the helper mesh: least squares on the surface, harmonic inside, within the map's own range.
 * 1 everywhere where nothing is painted.
 */
function paintHelper(helper: HelperMesh, solver: FrameSolver, map: ArrayLike<number> | undefined): Float64Array {
  const { tetrahedra: t, carriers, weights } = helper;
  const count = helper.positions.length / 3;
  const painted = new Float64Array(count).fill(1);
  if (!map) return painted;
  const { factor, pairs } = solver;
  const even = new ElasticEnergy(t, count, new Float64Array(t.length / 4).fill(MAP_SMOOTHNESS));
  even.setRest(helper.positions);
  factor.matrix.fill(0);
  even.addLaplacian(factor, pairs);
  const right = new Float64Array(3 * count);
  let [low, high] = [Infinity, -Infinity];
  for (let v = 0; v < carriers.length; v++) {
    low = Math.min(low, map[v]);
    high = Math.max(high, map[v]);
    for (let i = 0, pair = 10 * carriers[v]; i < 4; i++) {
      right[3 * t[4 * carriers[v] + i]] += weights[4 * v + i] * map[v];
      for (let j = 0; j <= i; j++, pair++) factor.matrix[pairs[pair]] += weights[4 * v + i] * weights[4 * v + j];
    }
  }
  if (!factor.factor()) throw new RangeError('maps: expected a helper mesh that the surface holds');
  factor.solve(right, right);
  for (let i = 0; i < count; i++) painted[i] = Math.min(high, Math.max(low, right[3 * i]));
  return painted;
}
