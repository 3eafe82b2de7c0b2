// What the user has painted on the bodies: factors by vertex, on top of what the scene says.

import { type Body, type MapName, mapRange } from 'isochore';
import type { Scene } from 'isochore/scenes';
import { applyPaint, factorsOf, type Paint, stepsOf } from '../paint.js';
import type { Brush, Point } from '../protocol.js';

/** Factor at the end of the colour scale; its inverse is at the other. */
const SCALE_END = 10;

type BodyPaint = Partial<Record<MapName, Float64Array>>;

export class Painting {
  /** Whether something was painted that the world does not know yet. */
  changed = false;
  private readonly bodies = new Map<number, BodyPaint>();

  /** @param paint what is painted already. */
  constructor(
    public brush: Brush,
    paint: Paint = {},
  ) {
    for (const [body, maps] of Object.entries(paint)) {
      const factors = Object.entries(maps).map(([map, steps]) => [
        map,
        Float64Array.from(factorsOf(map as MapName, steps)),
      ]);
      this.bodies.set(Number(body), Object.fromEntries(factors));
    }
  }

  /** What is painted, as link, scene file and program hold it. */
  get paint(): Paint {
    return Object.fromEntries(
      Array.from(this.bodies, ([body, maps]) => [
        body,
        Object.fromEntries(Object.entries(maps).map(([map, factors]) => [map, stepsOf(factors)])),
      ]),
    );
  }

  /** The factors of a body, as painted or as it was prepared. */
  private factorsOf(body: Body, index: number, map: MapName): Float64Array {
    const prepared = body.prepared.maps[map] ?? new Float64Array(body.particleCount).fill(1);
    return this.bodies.get(index)?.[map] ?? prepared;
  }

  /** One dab: factors go towards the brush's, most in its middle and not at all at its rim. */
  dab(body: Body, index: number, [px, py, pz]: Point): void {
    const { map, factor, radius, strength, erase } = this.brush;
    const [least, most] = mapRange(map);
    const goal = erase ? 1 : Math.min(most, Math.max(least, factor));
    const reach = radius * body.prepared.volume.size;
    const factors = this.factorsOf(body, index, map).slice();
    const { positions } = body;
    for (let v = 0, k = 0; v < factors.length; v++, k += 3) {
      const [x, y, z] = [positions[k] - px, positions[k + 1] - py, positions[k + 2] - pz];
      const share = 1 - (x * x + y * y + z * z) / (reach * reach);
      if (share > 0) factors[v] += strength * share * share * (goal - factors[v]);
    }
    this.bodies.set(index, { ...this.bodies.get(index), [map]: factors });
    this.changed = true;
  }

  wipe(): void {
    this.changed = this.bodies.size > 0;
    this.bodies.clear();
  }

  /** The scene with what is painted in it. */
  applyTo(scene: Scene): Scene {
    return this.bodies.size === 0 ? scene : applyPaint(scene, this.paint);
  }

  /** The brush's map as a colour, 0…1: the middle is 1, each end a tenth and ten times as much. */
  shown(body: Body, index: number): Float32Array {
    const range = 2 * Math.log(SCALE_END);
    return Float32Array.from(this.factorsOf(body, index, this.brush.map), (factor) =>
      Math.min(1, Math.max(0, 0.5 + Math.log(factor) / range)),
    );
  }
}
