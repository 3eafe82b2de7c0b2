// The lattice solver as a value: defaults, and what it refuses.

import { describe, expect, it } from 'vitest';
import { createWorld, icosphere, LATTICE_DEFAULTS, lattice, prepare, surface } from '../../../src/index.js';

describe('lattice()', () => {
  it('fills in the defaults', () => {
    expect(lattice()).toMatchObject({ type: 'lattice', settings: LATTICE_DEFAULTS });
    expect(lattice({ resolution: 20, regionSize: undefined }).settings).toEqual({
      ...LATTICE_DEFAULTS,
      resolution: 20,
    });
    expect(lattice({ volume: false }).settings.volume).toBe(false);
  });

  it.each([
    [{ regionSize: 0 }, 'regionSize: expected an integer from 1 to 16, got 0'],
    [{ regionSize: 2.5 }, 'regionSize: expected an integer from 1 to 16, got 2.5'],
    [{ resolution: 101 }, 'resolution: expected an integer from 1 to 100, got 101'],
    [{ stiffness: -0.1 }, 'stiffness: expected a number from 0 to 1, got -0.1'],
    [{ damping: Number.NaN }, 'damping: expected a number from 0 to 1, got NaN'],
    [{ volume: { globalShare: 2 } }, 'volume.globalShare: expected a number from 0 to 1, got 2'],
  ])('refuses %j', (options, message) => {
    expect(() => lattice(options)).toThrow(new RangeError(message));
  });
});

describe('settings of a lattice body', () => {
  it('may change, but not those that were prepared, nor to another solver', async () => {
    const world = await createWorld({ backend: 'reference' });
    const body = world.add(prepare(icosphere({ detail: 1 }), lattice({ resolution: 4 })));
    body.settings = { ...body.settings, stiffness: 0.2, volume: false };
    expect(body.settings).toEqual({ ...LATTICE_DEFAULTS, resolution: 4, stiffness: 0.2, volume: false });
    expect(() => {
      body.settings = lattice({ resolution: 5 }).settings;
    }).toThrow('settings: the resolution belongs to the prepared body; prepare it anew to change it');
    expect(() => {
      body.settings = surface({ regionSize: 2 }).settings;
    }).toThrow('settings: expected all of them, resolution is missing');
    expect(() => {
      body.settings = { ...body.settings, damping: 2 };
    }).toThrow('damping: expected a number from 0 to 1, got 2');
  });
});
