// The arrays of a body in the kernels' memory, and what its record says of the body at rest.

import type { Prepared } from '../../solvers/solver.js';
import type { BodyRecord } from './body-record.js';
import * as layout from './layout.js';
import { PARTIALS } from './partial-sums.js';
import type { RestData } from './rest-data.js';

/** State arrays: name, field of the record, bytes per particle. */
const STATE: readonly (readonly [name: string, field: number, bytes: number])[] = [
  ['positions', layout.BODY_POSITIONS, 16],
  ['starts', layout.BODY_STARTS, 16],
  ['velocities', layout.BODY_VELOCITIES, 16],
  ['quaternions', layout.BODY_QUATERNIONS, 16],
  ['normals', layout.BODY_NORMALS, 16],
  ['outward', layout.BODY_OUTWARD, 16],
  ['direction', layout.BODY_DIRECTION, 16],
  ['candidates', layout.BODY_CANDIDATES, 16],
  ['contactNormals', layout.BODY_CONTACT_NORMALS, 16],
  ['surfaceVelocities', layout.BODY_SURFACE_VELOCITIES, 16],
  ['pinTargets', layout.BODY_PIN_TARGETS, 16],
  ['pinChanges', layout.BODY_PIN_CHANGES, 16],
  ['changes', layout.BODY_CHANGES, 4],
  ['shares', layout.BODY_SHARES, 4],
  ['weights', layout.BODY_WEIGHTS, 16],
  ['weightsScratch', layout.BODY_WEIGHTS_SCRATCH, 16],
  ['pinned', layout.BODY_PINNED, 1],
  ['colliding', layout.BODY_COLLIDING, 1],
  ['held', layout.BODY_HELD, 1],
  ['shownPositions', layout.BODY_SHOWN_POSITIONS, 12],
  ['shownVelocities', layout.BODY_SHOWN_VELOCITIES, 12],
  ['keptVelocities', layout.BODY_KEPT_VELOCITIES, 16],
  ['touchNormals', layout.BODY_TOUCH_NORMALS, 16],
  ['touchVelocities', layout.BODY_TOUCH_VELOCITIES, 16],
  ['crossed', layout.BODY_CROSSED, 1],
  ['runBoxes', layout.BODY_RUN_BOXES, 64 / layout.RUN],
];
/** Of bodies whose regions the kernels match. */
const MATCHING: readonly string[] = ['quaternions'];
/** Where some bodies have nothing. */
const OPTIONAL = [
  ...[layout.BODY_PUSHES, layout.BODY_QUATERNIONS, layout.BODY_PREFIX, layout.BODY_FIELD_PREFIX],
  ...[layout.BODY_STIFFNESSES, layout.BODY_DAMPINGS, layout.BODY_FRICTIONS, layout.BODY_VOLUME_WEIGHTS],
  ...[layout.BODY_STIFFNESS_MEANS, layout.BODY_DAMPING_MEANS, layout.BODY_NEAR_OFFSETS, layout.BODY_NEAR_LEAVES],
  layout.BODY_PIN_REACH,
];

/** Makes all arrays that are as long as the shell, and writes what is known at rest. `mass` is the shell's [kg]. */
export function buildArrays(record: BodyRecord, prepared: Prepared, rest: RestData, mass: number): void {
  const { count, padded, chunks, rows, subtrees, pointers } = rest;
  const { kernels, contact, volume } = prepared;
  for (const field of OPTIONAL) record.setOwn(field, 0);
  for (const [field, address] of pointers) record.setOwn(field, address);
  for (const [name, field, bytes] of STATE) {
    if (kernels || !MATCHING.includes(name)) record.setOwn(field, record.allocate(name, bytes * padded));
  }
  if (kernels) {
    record.setOwn(layout.BODY_PREFIX, record.allocate('prefix', rows * layout.ROW));
    record.setOwn(layout.BODY_FIELD_PREFIX, record.allocate('fieldPrefix', rows * layout.ROW));
  }
  record.setOwn(layout.BODY_OWNER, record.address);
  record.setOwn(layout.BODY_SHIFT, 0);
  record.setOwn(layout.BODY_TREE_NODES, contact.bvh.nodeCount);
  record.setOwn(layout.BODY_TREE_BOXES, record.allocate('treeBoxes', contact.bvh.nodeCount * layout.NODE_BYTES));
  record.setOwn(layout.BODY_SUBTREE_ROWS, record.allocate('subtreeRows', subtrees * layout.SUBTREE_ROWS_BYTES));
  record.setOwn(layout.BODY_CHUNK_BOXES, record.allocate('chunkBoxes', 64 * chunks));
  record.setOwn(layout.BODY_PARTIALS, record.allocate('partials', chunks * PARTIALS * 8));
  record.setOwn(layout.BODY_COUNT, count);
  record.setOwn(layout.BODY_CHUNKS, chunks);
  record.setNumber(layout.BODY_MASS, mass);
  record.setNumber(layout.BODY_EDGE, contact.edge);
  record.setNumber(layout.BODY_SLOW, contact.slow);
  record.setNumber(layout.BODY_VOLUME, volume.volume);
  record.setNumber(layout.BODY_SIZE, volume.size);
  record.setNumber(layout.BODY_SPREAD, volume.spread);
  record.setNumber(layout.BODY_MEAN_AREA, volume.areas.reduce((sum, area) => sum + area, 0) / count);
}
