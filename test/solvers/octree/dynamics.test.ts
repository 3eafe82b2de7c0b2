// The octree's step: momentum and energy, rigid motion, the spectrum, droop that depends neither on Δt nor on the level,
// plastic flow.

import { describe, expect, it } from 'vitest';
import { fromAxisAngle, rotate } from '../../../src/math/quaternion.js';
import { seededRandom } from '../../../src/math/random.js';
import { pointAt } from '../../../src/math/vec3.js';
import { box } from '../../../src/mesh/index.js';
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js';
import { findRegions, growOctree, plantForest } from '../../../src/solvers/octree/grow.js';
import { OctreeDynamics } from '../../../src/solvers/octree/octree-dynamics.js';
import { buildRegionRest } from '../../../src/solvers/octree/region-rest.js';
import { writeGoals } from '../../../src/solvers/octree/transforms.js';
import { linkLeaves } from '../../../src/solvers/octree/visibility.js';
import { distance, energyOf, expectFreeMotion, motionOf, spin } from './free-motion.js';
import { shapes, sharedMesh } from './octree-shapes.js';

const hand = await sharedMesh('closed/hand_7993.obj');
const grown = { cells: 4, levels: 3, refine: 'thin', width: 0.5 } as const;
const elastic = { stiffness: 1, damping: 0, plasticity: false } as const;

const dynamicsOf = (mesh: TriangleMesh, settings: Parameters<typeof growOctree>[1] = grown): OctreeDynamics =>
  new OctreeDynamics(buildRegionRest(growOctree(mesh, settings)));

const free = [shapes[2], shapes[4], ...(hand ? [['hand', hand] as const] : [])];

describe.each(free)('the free %s', (_, mesh) => {
  // Meshes and Δt as in the recipe, for one second; a smaller body below goes on for its ten, and all of them in the soak.
  it.each([
    [0.005, 0, 1e-7],
    [0.016, 0, 1e-7],
    [0.005, 0.3, 1e-6],
  ])('keeps momentum and gains no energy with steps of %s s, damping %s', (timeStep, damping, tolerance) => {
    expectFreeMotion(dynamicsOf(mesh), { seed: 5, timeStep, damping, seconds: 1 }, tolerance);
  });

  it('keeps momentum under painted stiffness and width', () => {
    const forest = plantForest(mesh, grown);
    const random = seededRandom(3);
    for (const leaf of forest.leaves()) {
      leaf.stiffness = 0.05 + 0.95 * random();
      leaf.width *= 0.5 + random();
    }
    findRegions(forest, forest.leaves());
    const body = new OctreeDynamics(buildRegionRest(forest));
    spin(body, 6);
    const before = motionOf(body);
    const energy = energyOf(body);
    for (let n = 0; n < 200; n++) body.step(elastic, 0.005);
    const after = motionOf(body);
    expect(distance(after.linear, before.linear)).toBeLessThan(1e-9 * Math.sqrt(2 * energy));
    expect(distance(after.angular, before.angular)).toBeLessThan(1e-7 * distance(before.angular, [0, 0, 0]));
    expect(energyOf(body)).toBeLessThan(1.001 * energy);
  });

  it('has goals where rigid motion takes it', () => {
    const body = dynamicsOf(mesh);
    const turn = fromAxisAngle([0.6, 0, 0.8], 2.1);
    for (let i = 0; i < body.rest.masses.length; i++) {
      const [x, y, z] = rotate(turn, pointAt(body.positions, i));
      body.positions.set([x + 3, y - 1, z + 2], 3 * i);
    }
    body.writeFrames();
    const goals = new Float64Array(body.positions.length);
    writeGoals(body.rest, body.frames, body.origin, goals);
    expect(goals.reduce((most, g, k) => Math.max(most, Math.abs(g - body.positions[k])), 0)).toBeLessThan(1e-12);
  });

  it('moves no node further than it is from its goal: no eigenvalue above 1', () => {
    const body = dynamicsOf(mesh);
    const { positions, velocities, rest } = body;
    const start = positions.slice();
    const random = seededRandom(8);
    let mode = positions.map(() => random() - 0.5);
    let value = 0;
    // Small against the body, so that the operator is linear to 1e-7, and large against rounding, 1e-9 of it.
    const size = 1e-7;
    for (let n = 0; n < 60; n++) {
      const norm = Math.sqrt(mode.reduce((sum, u, k) => sum + rest.masses[Math.trunc(k / 3)] * u * u, 0));
      mode = mode.map((u) => u / norm);
      for (let k = 0; k < start.length; k++) positions[k] = start[k] + size * mode[k];
      velocities.fill(0);
      body.quaternions.fill(0);
      for (let q = 3; q < body.quaternions.length; q += 4) body.quaternions[q] = 1;
      body.match(elastic, 0.005);
      const next = body.pulls.map((pull) => -pull / size);
      value = mode.reduce((sum, u, k) => sum + rest.masses[Math.trunc(k / 3)] * u * next[k], 0);
      mode = next;
    }
    expect(value).toBeGreaterThan(0.5);
    expect(value).toBeLessThan(1 + 1e-6);
  });
});

describe('a free creature of few nodes', () => {
  it.each([0.005, 0.016])('keeps momentum and gains no energy for ten seconds in steps of %s s', (timeStep) => {
    const body = dynamicsOf(shapes[4][1], { ...grown, cells: 3, levels: 2 });
    expectFreeMotion(body, { seed: 9, timeStep, damping: 0, seconds: 10 }, 1e-7);
  });
});

/** How far the end of a beam droops whose other end is held, after it has come to rest. */
function droop(timeStep: number, levels: number, uniform: number, width: number): number {
  const beam = box({ size: [4, 1, 1], divisions: 1 });
  const forest = plantForest(beam, { cells: 4, levels, refine: 'topology', width });
  for (let level = 0; level < uniform; level++) for (const leaf of forest.leaves()) forest.split(leaf);
  const fresh = forest.leaves();
  linkAll(forest, fresh);
  const body = new OctreeDynamics(buildRegionRest(forest));
  const start = body.positions.slice();
  const held = start.map((_, k) => (start[k - (k % 3)] < -1 ? 1 : 0));
  for (let n = 0; n * timeStep < 6; n++) {
    // A drag of 3/s about standing still, to get there; where it stands it does nothing.
    for (let k = 0; k < start.length; k++) body.velocities[k] *= 1 - 3 * timeStep;
    body.step({ stiffness: 1, damping: 0.1, plasticity: false }, timeStep, [0, -2, 0]);
    for (let k = 0; k < held.length; k++) {
      if (held[k] === 0) continue;
      body.positions[k] = start[k];
      body.velocities[k] = 0;
    }
  }
  let sum = 0;
  let count = 0;
  for (let k = 0; k < start.length; k += 3) {
    if (start[k] < 1.4) continue;
    sum += start[k + 1] - body.positions[k + 1];
    count++;
  }
  return sum / count;
}

function linkAll(forest: ReturnType<typeof plantForest>, leaves: ReturnType<typeof forest.leaves>): void {
  linkLeaves(forest, leaves);
  findRegions(forest, leaves);
}

describe('a beam held at one end', () => {
  it('droops the same with every step', () => {
    const reference = droop(0.005, 1, 1, 1.5);
    expect(reference).toBeGreaterThan(0.001);
    expect(Math.abs(droop(0.0025, 1, 1, 1.5) / reference - 1)).toBeLessThan(1e-4);
    expect(Math.abs(droop(0.004, 1, 1, 1.5) / reference - 1)).toBeLessThan(1e-4);
  });

  it('droops as far at level 2 as at level 1', () => {
    const ratio = droop(0.005, 2, 2, 1.5) / droop(0.005, 2, 1, 1.5);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });
});

it('takes slow bending of a free bar', () => {
  const left = [0, 0.3].map((damping) => {
    const body = dynamicsOf(box({ size: [4, 1, 1], divisions: 1 }), {
      ...grown,
      cells: 8,
      levels: 1,
      refine: 'topology',
    });
    for (let k = 0; k < body.positions.length; k += 3) body.velocities[k + 1] = body.positions[k] ** 2 - 4 / 3;
    const energy = energyOf(body);
    let most = 0;
    for (let n = 0; n < 600; n++) {
      body.step({ ...elastic, damping }, 0.005);
      if (n >= 200) most = Math.max(most, energyOf(body) / energy);
    }
    return most;
  });
  expect(left[0]).toBeGreaterThan(0.5);
  expect(left[1]).toBeLessThan(0.05);
});

describe('plasticity', () => {
  const bar = box({ size: [3, 1, 1], divisions: 1 });
  const settings = { cells: 6, levels: 1, refine: 'topology', width: 1 } as const;

  /** Bends a bar by hand for a second, lets go for two; its curvature then, as the height of its ends over its middle. */
  function bend(plasticity: false | { yield: number; creep: number; max: number }) {
    const body = dynamicsOf(bar, settings);
    const start = body.positions.slice();
    const bent = start.map((x, k) => (k % 3 === 1 ? x + 0.25 * start[k - 1] ** 2 : x));
    for (let n = 0; n < 200; n++) {
      body.positions.set(bent);
      body.velocities.fill(0);
      body.match({ stiffness: 1, damping: 0.2, plasticity }, 0.005);
    }
    body.velocities.fill(0);
    for (let n = 0; n < 1000; n++) body.step({ stiffness: 1, damping: 0.5, plasticity: false }, 0.005);
    const height = (far: boolean) => {
      let sum = 0;
      let count = 0;
      for (let k = 0; k < start.length; k += 3) {
        if (Math.abs(start[k]) > 1 !== far) continue;
        sum += body.positions[k + 1];
        count++;
      }
      return sum / count;
    };
    let worst = 0;
    for (let s = 0; s < body.flows.length; s += 9) {
      const [a, b, c, d, e, f, g, h, i] = body.flows.subarray(s, s + 9);
      worst = Math.max(worst, Math.abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) - 1));
    }
    return { bow: height(true) - height(false), worst };
  }

  it('keeps what is bent beyond yield, and nothing below', () => {
    const kept = bend({ yield: 0.02, creep: 20, max: 2 });
    expect(kept.bow).toBeGreaterThan(0.1);
    expect(kept.worst).toBeLessThan(1e-12);
    expect(Math.abs(bend(false).bow)).toBeLessThan(1e-4);
    expect(Math.abs(bend({ yield: 3, creep: 20, max: 2 }).bow)).toBeLessThan(1e-4);
    const limited = bend({ yield: 0.02, creep: 20, max: 0.1 }).bow;
    expect(limited).toBeLessThan(0.5 * kept.bow);
    expect(limited).toBeGreaterThan(0.001);
  });

  it('keeps the angular momentum of a free body that flows', () => {
    const body = dynamicsOf(bar, settings);
    spin(body, 4);
    for (let k = 0; k < body.velocities.length; k++) body.velocities[k] *= 10;
    const before = motionOf(body);
    for (let n = 0; n < 400; n++) body.step({ ...elastic, plasticity: { yield: 0.01, creep: 20, max: 1 } }, 0.005);
    const after = motionOf(body);
    expect(body.flows.some((x, k) => k % 9 === 1 && Math.abs(x) > 1e-3)).toBe(true);
    expect(distance(after.angular, before.angular)).toBeLessThan(1e-9 * distance(before.angular, [0, 0, 0]));
  });
});
