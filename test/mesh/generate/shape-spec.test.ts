// Shapes by name, and the messages for wrong options.

import { describe, expect, it } from 'vitest';
import { box, generateShape, SHAPE_NAMES, type ShapeSpec, uvSphere } from '../../../src/mesh/generate/index.js';

/** Those that are meshed with a wanted number of vertices. */
const MODELS: readonly string[] = ['duck', 'creature', 'hand', 'liver', 'flower'];

describe('generateShape', () => {
  it('knows every name and passes the options on', () => {
    for (const shape of SHAPE_NAMES) {
      const spec = (MODELS.includes(shape) ? { shape, vertices: 700 } : { shape }) as ShapeSpec;
      expect(generateShape(spec).triangles.length).toBeGreaterThan(0);
    }
    expect(generateShape({ shape: 'uv-sphere', segments: 10, radius: 2 })).toEqual(
      uvSphere({ segments: 10, radius: 2 }),
    );
    expect(generateShape({ shape: 'box', size: [4, 1, 1], divisions: [4, 1, 1] })).toEqual(
      box({ size: [4, 1, 1], divisions: [4, 1, 1] }),
    );
  });

  it('refuses an unknown name and lists the known ones', () => {
    expect(() => generateShape({ shape: 'teapot' } as unknown as ShapeSpec)).toThrow(/uv-sphere.*creature.*teapot/);
  });

  it.each<[ShapeSpec, RegExp]>([
    [{ shape: 'uv-sphere', segments: 2 }, /^segments must be a whole number from 3/],
    [{ shape: 'uv-sphere', segments: 4.5 }, /^segments must be a whole number/],
    [{ shape: 'uv-sphere', radius: 0 }, /^radius must be a positive number, got 0/],
    [{ shape: 'icosphere', detail: 9 }, /^detail must be a whole number from 0 to 8, got 9/],
    [{ shape: 'box', size: -1 }, /^size must be a positive number/],
    [{ shape: 'box', divisions: [1, 0, 1] }, /^divisions must be a whole number from 1/],
    [{ shape: 'box', size: [1, 2] as never }, /^size must be a number or three numbers/],
    [{ shape: 'torus', minorRadius: 1 }, /^minorRadius must be below majorRadius \(1\), got 1/],
    [{ shape: 'torus', majorSegments: Number.NaN }, /^majorSegments must be a whole number/],
    [{ shape: 'capsule', height: 0.5 }, /^height must be at least 2·radius \(1\), got 0.5/],
    [{ shape: 'cylinder', height: Number.POSITIVE_INFINITY }, /^height must be a positive number/],
    [{ shape: 'duck', vertices: 100 }, /^vertices must be a whole number from 300 to 20000, got 100/],
    [{ shape: 'creature', size: 0 }, /^size must be a positive number, got 0/],
  ])('%o is refused by name and range', (spec, message) => {
    expect(() => generateShape(spec)).toThrow(RangeError);
    expect(() => generateShape(spec)).toThrow(message);
  });
});
