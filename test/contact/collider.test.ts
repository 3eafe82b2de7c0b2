// Obstacles with a pose: distances in the world, how far their points move in a step, and what they refuse.

import { describe, expect, it } from 'vitest';
import { COLLIDER_DEFAULTS, type ColliderOptions } from '../../src/contact/obstacles/collider-options.js';
import { Obstacle } from '../../src/contact/obstacles/obstacle.js';
import type { SurfacePoint } from '../../src/contact/obstacles/surface-point.js';
import { fromAxisAngle, rotate } from '../../src/math/quaternion.js';
import { add, length, normalize, subtract, type Vec3 } from '../../src/math/vec3.js';

const measured = (collider: Obstacle, [x, y, z]: Vec3): SurfacePoint => {
  const out = { distance: Number.NaN, nx: 0, ny: 0, nz: 0 };
  collider.measure(x, y, z, out);
  return out;
};

describe('a posed collider', () => {
  it('measures in the world: a turned and moved box', () => {
    const position: Vec3 = [3, -1, 2];
    const rotation = fromAxisAngle(normalize([1, 2, -1]), 1.2);
    const plate = new Obstacle({ shape: 'box', size: [4, 0.2, 4], position, rotation });
    const up = rotate(rotation, [0, 1, 0]);
    const above = add(position, rotate(rotation, [0.5, 0.6, -0.7]));
    const { distance, nx, ny, nz } = measured(plate, above);
    expect(Math.abs(distance - 0.5)).toBeLessThan(1e-14);
    expect(length(subtract([nx, ny, nz], up))).toBeLessThan(1e-14);
  });

  it('takes quaternions of any length', () => {
    const plane = new Obstacle({ shape: 'plane', normal: [0, 1, 0], rotation: [0, 0, 3, 3] });
    // A quarter turn about z: y → −x.
    const { distance, nx } = measured(plane, [-2, 5, 0]);
    expect(Math.abs(distance - 2)).toBeLessThan(1e-14);
    expect(Math.abs(nx + 1)).toBeLessThan(1e-14);
  });

  it('follows its keyframes, and gives the displacement of its points in a step', () => {
    const plate = new Obstacle({
      shape: 'box',
      size: [1, 1, 1],
      motion: [
        { time: 0, position: [0, 0, 0] },
        { time: 1, position: [0, 2, 0], rotation: fromAxisAngle([0, 1, 0], 1) },
      ],
    });
    plate.moveThrough(0.5, 0.6);
    const moved = new Float64Array(3);
    // The point that is at (1, 1.2, 0) at the end turned by 0.1 rad about y and rose by 0.2 m.
    plate.displacementAt(1, 1.2, 0, moved);
    const before = rotate(fromAxisAngle([0, 1, 0], -0.1), [1, 0, 0]);
    const expected = [1 - before[0], 0.2, 0 - before[2]];
    expected.forEach((d, c) => {
      expect(Math.abs(moved[c] - d)).toBeLessThan(1e-14);
    });
    plate.moveThrough(2, 3);
    plate.displacementAt(1, 1.2, 0, moved);
    expect([...moved].every((d) => Math.abs(d) < 1e-15)).toBe(true);
  });

  it('is named after its shape and rubs by default', () => {
    const ball = new Obstacle({ shape: 'sphere', radius: 1 });
    expect(ball.name).toBe('sphere');
    expect(ball.friction).toBe(COLLIDER_DEFAULTS.friction);
    expect(new Obstacle({ shape: 'sphere', radius: 1, name: 'ball', friction: 0 })).toMatchObject({
      name: 'ball',
      friction: 0,
    });
  });
});

describe('a collider refuses, by name,', () => {
  it.each([
    [{ shape: 'sphere', radius: 0 }, 'sphere.radius: expected a positive number, got 0'],
    [{ shape: 'sphere', radius: Number.NaN }, 'sphere.radius: expected a positive number, got NaN'],
    [{ shape: 'box', size: [1, -2, 1] }, 'box.size[1]: expected a positive number, got -2'],
    [{ shape: 'cylinder', radius: 1, height: Infinity }, 'cylinder.height: expected a positive number, got Infinity'],
    [{ shape: 'capsule', radius: -1, height: 3 }, 'capsule.radius: expected a positive number, got -1'],
    [{ shape: 'plane', normal: [0, 0, 0] }, 'plane.normal'],
    [{ shape: 'sphere', radius: 1, friction: -0.1 }, 'friction: expected a number from 0, got -0.1'],
    [{ shape: 'sphere', radius: 1, friction: Number.NaN }, 'friction: expected a number from 0, got NaN'],
  ] as [ColliderOptions, string][])('%o', (options, message) => {
    expect(() => new Obstacle(options)).toThrow(RangeError);
    expect(() => new Obstacle(options)).toThrow(message);
  });
});
