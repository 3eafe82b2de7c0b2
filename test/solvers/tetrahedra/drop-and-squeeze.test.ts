// Laws 7, 8 and 11 of the specification: a ball dropped on a floor, and pressed between plates. On coarser balls than the
// specification's, so that they are quick; its tolerances hold there too.

import { describe, expect, it } from 'vitest';
import type { DynamicsOptions, TetraDynamics } from '../../../src/solvers/tetrahedra/dynamics.js';
import {
  floorAt,
  GRAVITY,
  heightOf,
  makeDynamics,
  momentumOf,
  neo,
  type Plane,
  planes,
  sum,
  totalVolume,
  WEIGHTLESS,
} from './test-dynamics.js';
import { ball } from './tetra-bodies.js';

const TIME_STEP = 1 / 240;

describe('drop', () => {
  const mesh = ball(0.2);
  const fall = (options: Partial<DynamicsOptions>, step?: (body: TetraDynamics) => number) => {
    const body = makeDynamics(mesh, options);
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -2;
    const floor = floorAt(-0.5);
    let [error, height, newton] = [0, 1, 0];
    const steps = 60;
    for (let n = 0; n < steps; n++) {
      if (step) error = Math.max(error, step(body));
      else {
        const report = body.step(TIME_STEP, GRAVITY, floor);
        error = Math.max(error, report.ringError);
        newton += report.newtonSteps;
      }
      height = Math.min(height, heightOf(body));
    }
    return { error, height, newton: newton / steps, body };
  };
  const adaptive = fall({});

  it('keeps one-rings to 0.1 %, and to 2 % with a single Newton step', () => {
    expect(adaptive.error).toBeLessThan(1e-3);
    expect(adaptive.newton).toBeLessThan(2.7);
    const single = fall({ tolerance: Infinity });
    expect(single.newton).toBe(1);
    expect(single.error).toBeLessThan(0.02);
  });

  it('beats compressible elements in volume, without their locking', () => {
    const soft = fall({ incompressible: false, material: neo(5e4, 0.45) });
    const stiff = fall({ incompressible: false, material: neo(5e4, 0.499) });
    expect(soft.error).toBeGreaterThan(stiff.error);
    expect(stiff.error).toBeGreaterThan(10 * adaptive.error);
    expect(soft.error).toBeGreaterThan(0.15);
    expect(adaptive.height).toBeLessThan(soft.height + 0.01);
    expect(adaptive.height).toBeLessThan(stiff.height - 0.03);
  });

  it('loses ten times the volume where pressure does not know of contact', () => {
    const blind = fall({}, (body) => {
      body.step(TIME_STEP, GRAVITY);
      const { positions: x, velocities: v } = body;
      for (let k = 1; k < x.length; k += 3) {
        if (x[k] >= -0.5) continue;
        x[k] = -0.5;
        v[k] = Math.max(0, v[k]);
      }
      return body.measureRings(x);
    });
    expect(blind.error).toBeGreaterThan(10 * adaptive.error);
  });

  it('leaves the floor again, and the floor’s impulses are what changed its momentum', () => {
    const body = makeDynamics(mesh);
    for (let k = 1; k < body.velocities.length; k += 3) body.velocities[k] = -2;
    const floor = floorAt(-0.5);
    const mass = sum(body.masses);
    let [impulse, steps, contacts] = [0, 0, 0];
    do {
      contacts = body.step(TIME_STEP, GRAVITY, floor).contacts;
      for (let i = 0; i < body.contacts.count; i++) impulse += body.contacts.impulses[i];
      steps++;
    } while (steps < 40 || (contacts > 0 && steps < 160));
    expect(contacts).toBe(0);
    const gained = momentumOf(body)[1] + 2 * mass - -9.8 * mass * steps * TIME_STEP;
    // What the elastic solve leaves of its residual, 1e-3 of each step's forces, is in neither.
    expect(Math.abs(impulse / gained - 1)).toBeLessThan(1e-3);
    expect(momentumOf(body)[1]).toBeGreaterThan(0);
  });
});

describe('squeeze', () => {
  const press = (options: Partial<DynamicsOptions>, cell: number, end: number, speed = 0.5) => {
    const body = makeDynamics(ball(cell), options);
    const volume = sum(body.rest.volumes);
    const plates: Plane[] = [
      { normal: [0, 1, 0], offset: -0.5, speed },
      { normal: [0, -1, 0], offset: -0.5, speed },
    ];
    const source = planes(plates);
    const record: { thickness: number; total: number; rings: number; inverted: number }[] = [];
    for (let thickness = 1; thickness > end; ) {
      const { ringError } = body.step(TIME_STEP, WEIGHTLESS, source);
      for (const plate of plates) plate.offset += plate.speed * TIME_STEP;
      thickness = -plates[0].offset - plates[1].offset;
      const now = totalVolume(body);
      record.push({ thickness, total: Math.abs(now.volume / volume - 1), rings: ringError, inverted: now.inverted });
    }
    const downTo = (thickness: number, of: 'total' | 'rings' | 'inverted') =>
      Math.max(...record.filter((row) => row.thickness >= thickness - 1e-9).map((row) => row[of]));
    return { downTo, body, plates, source };
  };

  it('loses less than 0.1 % down to 13 % of the thickness, 0.3 % at 7 %, with a single Newton step', () => {
    const { downTo } = press({ tolerance: Infinity }, 0.25, 0.07);
    expect(downTo(0.13, 'total')).toBeLessThan(1e-3);
    expect(downTo(0.07, 'total')).toBeLessThan(3e-3);
    expect(downTo(0.1, 'inverted')).toBe(0);
  });

  it('loses less than 0.01 % with two', () => {
    expect(press({ tolerance: 0, newtonLimit: 1 }, 0.25, 0.07).downTo(0.07, 'total')).toBeLessThan(1e-4);
  });

  it('keeps all one-rings to 0.1 % and inverts nothing down to 4 %; let go at once, it comes back', () => {
    const { downTo, body } = press({ massDamping: 1 }, 0.2, 0.04);
    expect(downTo(0.04, 'rings')).toBeLessThan(1e-3);
    expect(downTo(0.04, 'inverted')).toBe(0);
    // Undamped it goes on swinging between a disc and a rod.
    body.options = { ...body.options, massDamping: 10 };
    let error = 1;
    for (let n = 0; n < 120; n++) error = body.step(TIME_STEP, WEIGHTLESS).ringError;
    expect(totalVolume(body).inverted).toBe(0);
    expect(error).toBeLessThan(1e-3);
  });

  it('springs back from 13 % with its volume in every step', () => {
    const { body } = press({}, 0.2, 0.13);
    let [error, inverted, height] = [0, 0, 0];
    for (let n = 0; n < 30; n++) {
      error = Math.max(error, body.step(TIME_STEP, WEIGHTLESS).ringError);
      inverted += totalVolume(body).inverted;
      height = Math.max(height, heightOf(body));
    }
    expect(error).toBeLessThan(1e-3);
    expect(inverted).toBe(0);
    expect(height).toBeGreaterThan(1);
  });
});
