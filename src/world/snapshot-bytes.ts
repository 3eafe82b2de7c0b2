// The bytes of a snapshot: what they are, of which version, undamaged or not; and what world they belong to.

import type { Obstacle } from '../contact/obstacles/obstacle.js';
import { showInput } from '../math/expect.js';
import { StateHash } from '../math/hash.js';
import { packState, type StateTree, unpackState } from '../math/state-tree.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Prepared } from '../solvers/solver.js';

/** The first bytes of every snapshot, its version, the length of what follows, and a hash of it. */
const MAGIC = 'isochore';
const VERSION = 3;
const HEADER = 32;

/** What a snapshot needs to find in the world that it is restored to. */
export interface WorldFingerprint {
  readonly backend: string;
  /** What tells the backend's state from that of another version. */
  readonly kernels: string;
  readonly timeStep: number;
  /** One for each body and collider: what it is and does not change. */
  readonly bodies: readonly string[];
  readonly colliders: readonly string[];
}

const refuse = (expected: string, got: string) => new RangeError(`snapshot: expected ${expected}, got ${got}`);

/** FNV-1a over words instead of bytes, four times as fast; the content is a multiple of 8 bytes long. */
function hashOf(content: Uint8Array): string {
  const words = new Uint32Array(content.buffer, content.byteOffset, content.length / 4);
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let n = 0; n < words.length; n++) {
    low = Math.imul(low ^ words[n], 0x01000193) ^ (low >>> 15);
    high = Math.imul(high ^ words[n], 0x85ebca6b) ^ (high >>> 15);
  }
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

export function sealSnapshot(fingerprint: WorldFingerprint, state: StateTree): Uint8Array {
  const content = packState({ fingerprint: fingerprint as unknown as StateTree, state });
  const bytes = new Uint8Array(HEADER + content.length);
  const header = new DataView(bytes.buffer);
  for (let n = 0; n < MAGIC.length; n++) bytes[n] = MAGIC.charCodeAt(n);
  header.setUint32(8, VERSION, true);
  header.setUint32(12, content.length, true);
  const hash = hashOf(content);
  for (let n = 0; n < hash.length; n++) bytes[16 + n] = hash.charCodeAt(n);
  bytes.set(content, HEADER);
  return bytes;
}

/** The state in a snapshot; throws RangeError where it is none, damaged, or of another world. */
export function openSnapshot(bytes: Uint8Array, fingerprint: WorldFingerprint): StateTree {
  if (!(bytes instanceof Uint8Array)) throw refuse('the bytes of world.snapshot()', typeof bytes);
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (text(0, 8) !== MAGIC) throw refuse('the bytes of world.snapshot()', `${bytes.length} other bytes`);
  if (bytes.length < HEADER) throw refuse(`at least ${HEADER} bytes`, `${bytes.length}`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = header.getUint32(8, true);
  if (version !== VERSION) throw refuse(`version ${VERSION}`, `version ${version}`);
  const length = HEADER + header.getUint32(12, true);
  if (bytes.length !== length || length % 8 !== 0) throw refuse(`${length} bytes`, `${bytes.length}`);
  // A copy: the bytes may lie anywhere in a larger buffer, and a Buffer's own slice would not be one.
  const content = new Uint8Array(bytes.subarray(HEADER));
  if (hashOf(content) !== text(16, HEADER)) throw refuse('undamaged bytes', 'some that were changed');
  const opened = unpackState(content) as { fingerprint?: StateTree; state?: StateTree } | null | undefined;
  const found = opened?.fingerprint as Partial<Record<keyof WorldFingerprint, unknown>> | null | undefined;
  if (!found || !Array.isArray(found.bodies) || !Array.isArray(found.colliders))
    throw refuse('a world', 'something else');
  compareFingerprints(fingerprint, found as unknown as WorldFingerprint);
  return opened?.state;
}

function compareFingerprints(own: WorldFingerprint, found: WorldFingerprint): void {
  if (found.backend !== own.backend) throw refuse(`one of the backend ${own.backend}`, `one of ${found.backend}`);
  if (found.kernels !== own.kernels)
    throw refuse(`one of the kernels ${own.kernels}`, `one of another version (${showInput(found.kernels)})`);
  if (found.timeStep !== own.timeStep) throw refuse(`steps of ${own.timeStep} s`, `${found.timeStep} s`);
  for (const kind of ['bodies', 'colliders'] as const) {
    const [expected, got] = [own[kind], found[kind]];
    if (expected.length !== got.length) throw refuse(`${expected.length} ${kind}`, `${got.length}`);
    const other = expected.findIndex((fingerprint, n) => fingerprint !== got[n]);
    if (other >= 0) throw refuse(`this world's ${kind}[${other}]`, 'another');
  }
}

const fingerprints = new WeakMap<object, string>();

function fingerprintOf(thing: object, compute: () => string): string {
  let fingerprint = fingerprints.get(thing);
  if (fingerprint === undefined) {
    fingerprint = compute();
    fingerprints.set(thing, fingerprint);
  }
  return fingerprint;
}

const hashMesh = ({ positions, triangles }: TriangleMesh): string =>
  new StateHash().update(positions).update(triangles).digest();

const describeSolver = ({ solver: { type, settings } }: Prepared): string => JSON.stringify({ type, settings });

/** Names of what is painted on a body, and a hash of it. */
function describeMaps({ maps }: Prepared): string {
  const hash = new StateHash();
  for (const map of Object.values(maps)) hash.update(map);
  return Object.keys(maps).length > 0 ? ` ${Object.keys(maps).join(' ')} ${hash.digest()}` : '';
}

/** What a body is: its mesh, how it was prepared, its mass. */
export const bodyFingerprint = (prepared: Prepared, mass: number): string =>
  `${fingerprintOf(prepared, () => `${hashMesh(prepared.mesh)} ${describeSolver(prepared)}${describeMaps(prepared)}`)} ${mass}`;

/** What a collider is: its shape. */
export const colliderFingerprint = (obstacle: Obstacle): string =>
  fingerprintOf(obstacle, () => {
    const { shape } = obstacle;
    const { motion, position, rotation, friction, restitution, group, collidesWith, name, ...own } = shape as Record<
      string,
      unknown
    >;
    const kind = obstacle.sensor ? 'sensor ' : '';
    if (shape.shape !== 'mesh') return `${kind}${JSON.stringify(own)}`;
    return `${kind}mesh ${hashMesh({ positions: Float64Array.from(shape.mesh.positions), triangles: shape.mesh.triangles })}`;
  });
