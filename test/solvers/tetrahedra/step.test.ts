// Laws 9 to 13 of the specification, and what the step rests on: momentum, pins, recovery, muscles.

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/math/random.js';
import { ContactProjection } from '../../../src/solvers/tetrahedra/contact-projection.js';
import type { ContactSource } from '../../../src/solvers/tetrahedra/contact-rows.js';
import type { DynamicsOptions } from '../../../src/solvers/tetrahedra/dynamics.js';
import { longestStep } from '../../../src/solvers/tetrahedra/longest-step.js';
import { FibreForce, FORCE_LENGTH, layFibres } from '../../../src/solvers/tetrahedra/muscle.js';
import { buildPressurePattern } from '../../../src/solvers/tetrahedra/pressure-matrix.js';
import { PressureSolve } from '../../../src/solvers/tetrahedra/pressure-solve.js';
import { buildTetraRest } from '../../../src/solvers/tetrahedra/rest.js';
import { writeVolumes } from '../../../src/solvers/tetrahedra/ring-sums.js';
import { writeVolumeRate } from '../../../src/solvers/tetrahedra/volume-error.js';
import {
  floorAt,
  GRAVITY,
  kineticEnergy,
  makeDynamics,
  momentumOf,
  neo,
  planes,
  sum,
  totalVolume,
  WEIGHTLESS,
} from './test-dynamics.js';
import { ball, jitter, kuhnBox, norm } from './tetra-bodies.js';

/** A bar of 0.2 × 0.2 × 1 m, fixed at z = 0, and how far its end sinks by its own weight [m]. */
function sag(n: number, timeStep: number, duration: number, options: Partial<DynamicsOptions>): number {
  const mesh = kuhnBox(n, n, 5 * n, 0.2 / n);
  const bar = makeDynamics(mesh, { massDamping: 40, ...options });
  const ends: number[] = [];
  for (let node = 0; node < bar.rest.count; node++) {
    const z = mesh.positions[3 * node + 2];
    if (z < 1e-9) bar.pinned[node] = 1;
    if (z > 1 - 1e-9) ends.push(node);
  }
  for (let t = 0; t < duration; t += timeStep) bar.step(timeStep, GRAVITY);
  return -ends.reduce((a, node) => a + bar.positions[3 * node + 1] - mesh.positions[3 * node + 1], 0) / ends.length;
}

describe('bar', () => {
  const youngs = 1e7;
  const ring = { material: neo(youngs) };

  it('does not lock: five times the sag of ν = 0.499 on the coarsest mesh', () => {
    const locked = { incompressible: false, massDamping: 20, material: neo(youngs, 0.499) };
    const coarse = sag(2, 1 / 30, 0.6, locked);
    // What a prototype measured, of the beam's 0.0368 m; on the next finer mesh the ratio is more than six.
    expect(Math.abs(coarse / 0.0368 - 0.061)).toBeLessThan(0.003);
    expect(sag(2, 1 / 240, 0.8, ring) / coarse).toBeGreaterThan(5);
  });

  it('sags alike whatever the step: the pressure is part of the balance', () => {
    const [long, short] = [sag(2, 1 / 240, 0.95, ring), sag(2, 1 / 1000, 0.4, ring)];
    expect(Math.abs(long / short - 1)).toBeLessThan(0.01);
    // What the static solution of this mesh is.
    expect(Math.abs(short / 0.01325 - 1)).toBeLessThan(0.01);
  });
});

describe('volume', () => {
  it('comes back within three steps without becoming speed', () => {
    const body = makeDynamics(ball(0.17));
    for (let k = 0; k < body.positions.length; k++) body.positions[k] *= 0.9;
    const volume = sum(body.rest.volumes);
    for (let n = 0; n < 3; n++) body.step(1 / 120, WEIGHTLESS);
    expect(Math.abs(totalVolume(body).volume / volume - 1)).toBeLessThan(1e-3);
    expect(kineticEnergy(body)).toBeLessThan(1);
  });

  it('comes back no faster than the recovery time', () => {
    const recoveryTime = 0.1;
    const body = makeDynamics(ball(0.25), { recoveryTime });
    for (let k = 0; k < body.positions.length; k++) body.positions[k] *= 0.9;
    const volume = sum(body.rest.volumes);
    const shares = [0.729];
    for (let n = 0; n < 6; n++) {
      body.step(1 / 120, WEIGHTLESS);
      shares.push(totalVolume(body).volume / volume);
    }
    // V⁰ per recovery time, so a twelfth of it per step, to the tolerance of Newton's method.
    for (let n = 1; n < 4; n++) expect(Math.abs(shares[n] - shares[n - 1] - 1 / 12)).toBeLessThan(1e-3);
    expect(Math.abs(shares[6] - 1)).toBeLessThan(1e-3);
  });

  it('comes back from a shaken start, one tetrahedron of ten inverted', () => {
    const random = seededRandom(9);
    const mesh = ball(0.17);
    const body = makeDynamics(mesh);
    body.positions.set(jitter(mesh, 0.072, random).positions);
    const before = totalVolume(body).inverted / body.rest.tetraCount;
    expect(before).toBeGreaterThan(0.07);
    expect(before).toBeLessThan(0.15);
    for (let n = 0; n < 10; n++) body.step(1 / 120, WEIGHTLESS);
    expect(totalVolume(body).inverted).toBe(0);
    let error = 1;
    for (let n = 0; n < 20; n++) error = body.step(1 / 120, WEIGHTLESS).ringError;
    expect(error).toBeLessThan(1e-3);
  });

  it('comes back from nodes anywhere, by elasticity first', () => {
    const random = seededRandom(4);
    const mesh = ball(0.25);
    const body = makeDynamics(mesh, { massDamping: 2 });
    for (let k = 0; k < body.positions.length; k++) body.positions[k] = random() - 0.5;
    let error = 1;
    for (let n = 0; n < 240; n++) error = body.step(1 / 120, WEIGHTLESS).ringError;
    expect(totalVolume(body).inverted).toBe(0);
    expect(error).toBeLessThan(1e-3);
  });

  it('has a clamp that asks for nothing impossible', () => {
    const mesh = kuhnBox(6, 6, 6);
    const rest = buildTetraRest(mesh);
    const random = seededRandom(2);
    const x = jitter(mesh, 0.08, random).positions;
    const volumes = new Float64Array(rest.tetraCount);
    writeVolumes(x, mesh.tetrahedra, volumes);
    const projection = new ContactProjection(rest.massShares.map((share) => 1 / share));
    const solve = new PressureSolve(rest, buildPressurePattern(rest), 'jacobi');
    solve.place(x);
    solve.prepare(projection);
    const [p, gamma] = [new Float64Array(rest.count), new Float64Array(3 * rest.count)];
    const [perTetra, rate] = [new Float64Array(rest.tetraCount), new Float64Array(rest.count)];
    const sizes = [0, 20].map((recoveryTime) => {
      writeVolumeRate(rest, volumes, 1, recoveryTime, perTetra, rate);
      const result = solve.solve(projection, rate, p, gamma, 1e-6);
      expect(result.residual).toBeLessThan(1e-6);
      return { size: norm(gamma), most: Math.max(...rate.map((e, k) => Math.abs(e) / rest.ringVolumes[k])) };
    });
    expect(sizes[1].size).toBeLessThan(sizes[0].size);
    // It cut something off; by tetrahedra, so not to the last digit of each ring.
    expect(sizes[0].most).toBeGreaterThan(0.06);
    expect(sizes[1].most).toBeLessThan(sizes[0].most);
  });
});

describe('momentum', () => {
  it('is kept in free flight, spinning', () => {
    const body = makeDynamics(ball(0.2));
    for (let n = 0, k = 0; n < body.rest.count; n++, k += 3) {
      const [x, y] = [body.positions[k], body.positions[k + 1]];
      body.velocities.set([1 - 3 * y, 3 * x, 0.5], k);
    }
    const before = momentumOf(body);
    for (let n = 0; n < 60; n++) body.step(1 / 240, WEIGHTLESS);
    const after = momentumOf(body);
    for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-7 * sum(body.masses));
    for (let c = 3; c < 6; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-7 * before[5]);
  });

  it('falls by ½ g t² with nothing in the way', () => {
    const body = makeDynamics(ball(0.2));
    const start = body.positions.slice();
    for (let n = 0; n < 24; n++) body.step(1 / 240, GRAVITY);
    // Backward Euler: Σ of the velocities at the ends of the steps.
    const fallen = (-9.8 * 24 * 25) / 2 / 240 ** 2;
    for (let k = 1; k < start.length; k += 3) {
      expect(Math.abs(body.positions[k] - start[k] - fallen)).toBeLessThan(1e-11);
    }
  });
});

describe('contact', () => {
  it('comes to rest on a floor and bears its weight there', () => {
    const body = makeDynamics(ball(0.3), { massDamping: 15 });
    const floor = floorAt(-0.5);
    let impulse = 0;
    for (let n = 0; n < 300; n++) {
      body.step(1 / 240, GRAVITY, floor);
      impulse = 0;
      for (let i = 0; i < body.contacts.count; i++) impulse += body.contacts.impulses[i];
    }
    expect(Math.abs((impulse * 240) / (9.8 * sum(body.masses)) - 1)).toBeLessThan(0.01);
    // A faceted ball still rolls a little on a floor without friction: 1e-4 of its weight times its radius.
    expect(kineticEnergy(body)).toBeLessThan(1e-4 * 9.8 * 0.5 * sum(body.masses));
  });

  it('holds in a corner of three planes, nothing through any of them', () => {
    const body = makeDynamics(kuhnBox(3, 3, 3, 0.3), { massDamping: 3 });
    const corner = planes([
      { normal: [1, 0, 0], offset: -0.05, speed: 0 },
      { normal: [0, 1, 0], offset: -0.05, speed: 0 },
      { normal: [0, 0, 1], offset: -0.05, speed: 0 },
    ]);
    let error = 0;
    for (let n = 0; n < 80; n++) error = Math.max(error, body.step(1 / 240, [-6, -9, -7], corner).ringError);
    expect(error).toBeLessThan(1e-3);
    expect(Math.min(...body.positions)).toBeGreaterThan(-0.05 - 1e-8);
    expect(Math.min(...body.positions)).toBeLessThan(-0.0499);
  });

  it('lies over a round obstacle whose normals turn under it, with its volume', () => {
    const body = makeDynamics(ball(0.2));
    const radius = 0.4;
    const middle = [0.03, -0.92, 0.02];
    const distance = (n: number, x: Float64Array) => {
      const d = [0, 1, 2].map((k) => x[3 * n + k] - middle[k]);
      const length = Math.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
      return { gap: length - radius, normal: d.map((value) => value / length) };
    };
    const knob: ContactSource = {
      list: (x, _, __, rows) => {
        for (let n = 0; 3 * n < x.length; n++) {
          const { gap, normal } = distance(n, x);
          if (gap < 0.2) rows.add(n, 0, normal[0], normal[1], normal[2], gap, 0);
        }
      },
    };
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -1.5;
    let [error, deepest] = [0, 0];
    for (let n = 0; n < 50; n++) {
      error = Math.max(error, body.step(1 / 240, GRAVITY, knob).ringError);
      for (let m = 0; m < body.rest.count; m++) deepest = Math.min(deepest, distance(m, body.positions).gap);
    }
    expect(error).toBeLessThan(1e-3);
    // A node that slides along its tangent within a step leaves the round outwards; none is left inside by more than the last
    // Newton step moves it.
    expect(deepest).toBeGreaterThan(-1e-3 * radius);
    expect(body.contacts.count).toBeGreaterThan(3);
  });

  it.each([
    ['very soft', 1e2, 1 / 240, 2],
    ['very stiff', 1e9, 1 / 240, 2],
    ['in long steps', 5e4, 1 / 30, 2],
    ['in short steps', 5e4, 1 / 2000, 2],
    ['at 50 m/s', 5e4, 1 / 240, 50],
  ])('bears a fall %s', (_, youngs, timeStep, speed) => {
    const body = makeDynamics(ball(0.25), { material: neo(youngs) });
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -speed;
    const floor = floorAt(-0.5);
    let error = 0;
    for (let n = 0; n < 40; n++) error = Math.max(error, body.step(timeStep, GRAVITY, floor).ringError);
    // More than a spacing of nodes in a step at 50 m/s: volumes are lost there, and only bounds are asked for.
    if (speed < 50) expect(error).toBeLessThan(1e-3);
    expect(body.positions.every((x) => Math.abs(x) < 20)).toBe(true);
    expect(body.velocities.every((v) => Math.abs(v) < 2 * speed + 20)).toBe(true);
  });

  it('presses back as an incompressible neo-Hookean block between plates without friction', () => {
    const mesh = kuhnBox(3, 3, 3, 0.1);
    const youngs = 5e4;
    const body = makeDynamics(mesh, { material: neo(youngs), massDamping: 30 });
    const plates = [
      { normal: [0, 1, 0] as const, offset: 0, speed: 0.25 },
      { normal: [0, -1, 0] as const, offset: -0.3, speed: 0.25 },
    ];
    const run = (steps: number) => {
      for (let n = 0; n < steps; n++) {
        body.step(1 / 240, WEIGHTLESS, planes(plates));
        for (const plate of plates) plate.offset += plate.speed / 240;
      }
    };
    run(48);
    for (const plate of plates) plate.speed = 0;
    run(150);
    const stretch = (0.3 - 2 * 0.25 * 0.2) / 0.3;
    let force = 0;
    for (let i = 0; i < body.contacts.count; i++) force += (body.contacts.impulses[i] * 240) / 2;
    // Homogeneous, so exact on any mesh: nominal stress μ(1/s² − s) over the area at rest.
    const exact = (youngs / 3) * (1 / stretch ** 2 - stretch) * 0.3 * 0.3;
    expect(Math.abs(force / exact - 1)).toBeLessThan(0.01);
  });

  it('asks for steps that pass less than half of a spacing', () => {
    const rest = buildTetraRest(ball(0.2));
    expect(longestStep(rest, 0)).toBe(Infinity);
    expect(Math.abs(longestStep(rest, 5) * 5 - 0.45 * rest.spacing)).toBeLessThan(1e-12);
    // A stuffed lattice's spacing is somewhat below its cell.
    expect(rest.spacing).toBeGreaterThan(0.14);
    expect(rest.spacing).toBeLessThan(0.2);
  });
});

describe('muscle', () => {
  it('shortens and bulges at its volume, and lets go', () => {
    const mesh = kuhnBox(2, 6, 2, 0.05);
    const muscle = new FibreForce({
      strength: 4e4,
      fibres: layFibres(mesh, [0, 1, 0]),
      forceLength: FORCE_LENGTH,
    });
    const body = makeDynamics(mesh, { material: neo(5e4), muscle, massDamping: 15 });
    const volume = sum(body.rest.volumes);
    /** Stretch along an axis: how far apart the middles of the two ends are, against rest. */
    const stretch = (axis: number, length: number) => {
      const ends = [0, length].map((at) => {
        const middle = [0, 0, 0];
        let count = 0;
        for (let n = 0; n < body.rest.count; n++) {
          if (Math.abs(mesh.positions[3 * n + axis] - at) > 1e-9) continue;
          for (let k = 0; k < 3; k++) middle[k] += body.positions[3 * n + k];
          count++;
        }
        return middle.map((x) => x / count);
      });
      return Math.sqrt(ends[0].reduce((s, x, k) => s + (x - ends[1][k]) ** 2, 0)) / length;
    };
    muscle.activate(1);
    let error = 0;
    for (let n = 0; n < 200; n++) error = Math.max(error, body.step(1 / 240, WEIGHTLESS).ringError);
    expect(error).toBeLessThan(1e-3);
    expect(Math.abs(totalVolume(body).volume / volume - 1)).toBeLessThan(1e-3);
    // Uniaxial balance of an incompressible neo-Hookean rod: μ(s² − 1/s) + s·T(s) = 0 for the stretch s.
    let [low, high] = [0.5, 1];
    const balance = (s: number) => (5e4 / 3) * (s * s - 1 / s) + s * 4e4 * FORCE_LENGTH.share(s);
    for (let n = 0; n < 50; n++)
      [low, high] = balance((low + high) / 2) > 0 ? [low, (low + high) / 2] : [(low + high) / 2, high];
    expect(Math.abs(stretch(1, 0.3) / low - 1)).toBeLessThan(1e-3);
    expect(Math.abs(stretch(0, 0.1) * Math.sqrt(low) - 1)).toBeLessThan(1e-3);
    muscle.activate(0);
    for (let n = 0; n < 200; n++) body.step(1 / 240, WEIGHTLESS);
    expect(Math.abs(stretch(1, 0.3) - 1)).toBeLessThan(1e-3);
  });
});
