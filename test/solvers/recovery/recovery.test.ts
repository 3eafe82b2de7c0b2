// What is judged of a body after it was drawn back: folds that its surroundings have left it with are drawn again, a few times, and those of
// a body that was never broken are its own.

import { expect, it } from 'vitest';
import { icosphere, signedVolume } from '../../../src/mesh/index.js';
import { Recovery } from '../../../src/solvers/recovery/recovery.js';

const TIME_STEP = 0.005;
const mesh = icosphere({ detail: 2 });
const count = mesh.positions.length / 3;
/** A vertex of a triangle of the first one. */
const beside =
  mesh.triangles[mesh.triangles.indexOf(0) - (mesh.triangles.indexOf(0) % 3) + ((mesh.triangles.indexOf(0) + 1) % 3)];

/** A ball in contact, pressed: nothing but the shares of folded edges and of volume says that it is broken. */
function ballAmongOthers() {
  const positions = mesh.positions.slice();
  const recovery = new Recovery();
  const body = {
    prepared: {
      mesh,
      volume: { volume: signedVolume(mesh.positions, mesh.triangles), size: 2 },
      particles: { order: Uint32Array.from({ length: count }, (_, vertex) => vertex) },
    },
    positions,
    velocities: new Float64Array(positions.length),
    inflation: { factor: 1, scale: 1 },
    masses: new Float64Array(count).fill(1),
    pins: [],
    get volumeNow() {
      return signedVolume(positions, mesh.triangles);
    },
    isFree: false,
    load() {},
    turnRegions() {},
    holdSpeed() {},
  };
  const around = { isPressed: () => true, stop() {} };
  const step = () => recovery.update(body, around, TIME_STEP);
  /** Steps with a vertex folded over another, until it is drawn back or a second has passed; whether it was. */
  const fold = (): boolean => {
    for (let n = 0; n < 200 && recovery.drawing === 'none'; n++) {
      for (let c = 0; c < 3; c++) positions[c] = 2 * mesh.positions[3 * beside + c] - mesh.positions[c];
      step();
    }
    return recovery.drawing === 'whole';
  };
  const settle = () => {
    for (let n = 0; n < 200 && recovery.drawing !== 'none'; n++) step();
  };
  return { recovery, positions, step, fold, settle };
}

it('leaves a fold alone in a body that was never broken', () => {
  const { fold, recovery } = ballAmongOthers();
  expect(fold()).toBe(false);
  expect(recovery.count).toBe(0);
});

it('draws a fold out of a body that was broken, three times at most, and counts that as one', () => {
  const { recovery, positions, step, fold, settle } = ballAmongOthers();
  positions.fill(0);
  step();
  expect(recovery.drawing).toBe('whole');
  settle();
  for (let n = 0; n < 3; n++) {
    expect(fold()).toBe(true);
    settle();
    expect(Math.abs(positions[0] - mesh.positions[0])).toBeLessThan(0.15);
  }
  expect(fold()).toBe(false);
  expect(recovery.count).toBe(1);
});

it('forgets that a body was broken once it has been whole for a second', () => {
  const { positions, step, fold, settle } = ballAmongOthers();
  positions.fill(0);
  step();
  settle();
  for (let n = 0; n < 300; n++) step();
  expect(fold()).toBe(false);
});
