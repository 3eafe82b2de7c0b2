// What acts on a body in a substep does so in one order, on every backend: pins, grips, fields, joints, the stages.

import { describe, expect, it, vi } from 'vitest';
import { icosphere, prepare, surface } from '../../src/index.js';
import { partsOf } from '../../src/world/world-parts.js';
import { BOTH_BACKENDS, worldOn } from '../both-backends.js';

const ball = prepare(icosphere({ detail: 1, radius: 0.5 }), surface({ regionSize: 2 }));

describe.each(BOTH_BACKENDS)('on %s', (backend) => {
  it.each([1, 2])('a step of %i substeps', async (substeps) => {
    const world = await worldOn(backend, { timeStep: 0.005 * substeps });
    const [first, second] = [0, 1].map((n) => world.add(ball, { position: [1.1 * n, 0, 0] }));
    first.pin([0]);
    first.grab([0, 0.5, 0]);
    world.attach(first, first.select({ sphere: { centre: [0.5, 0, 0], radius: 0.2 } }), second);
    const order: string[] = [];
    const told = (word: string) => {
      if (order.at(-1) !== word) order.push(word);
    };
    world.addField(() => {
      told('fields');
      return [0, 0, 0];
    });
    const { bodies, bonds, backend: stages } = partsOf(world);
    const spy = <T extends object>(thing: T, method: keyof T & string, word: string) => {
      const own = thing[method] as (...args: unknown[]) => unknown;
      vi.spyOn(thing as Record<string, (...args: unknown[]) => unknown>, method).mockImplementation((...args) => {
        told(word);
        return own.apply(thing, args);
      });
    };
    for (const { state } of bodies.inner) spy(state, 'locatePins', 'pins');
    spy(bodies.inner[0].state.grips[0], 'pull', 'grips');
    spy(bonds.joints[0], 'pull', 'joints');
    spy(stages, 'run', 'stages');
    world.step();
    const substep = ['pins', 'grips', 'fields', 'joints', 'stages'];
    expect(order).toEqual(Array.from({ length: substeps }, () => substep).flat());
  });
});
