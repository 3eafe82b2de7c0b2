// What the user has painted on the bodies: factors by vertex, on top of what the scene says.

import type { Body } from 'isochore';
import type { PosedMember, Scene } from 'isochore/scenes';
import { applyPaint, isOfAll, type Paint, paintRange, rounded } from '../paint.js';
import type { Brush, Point } from '../protocol.js';

/** Factor at the end of the colour scale; its inverse is at the other. */
const SCALE_END = 10;

type BodyPaint = Readonly<Record<string, Float64Array>>;

export class Painting {
  /** Whether something was painted that the world does not know yet. */
  changed = false;
  private readonly bodies = new Map<number, BodyPaint>();

  /** The posed bodies of the world that is painted on: they know what is painted on them. */
  posed: readonly Pick<PosedMember, 'body' | 'maps'>[] = [];

  /** @param paint what is painted already. */
  constructor(
    public brush: Brush,
    paint: Paint = {},
  ) {
    for (const [body, maps] of Object.entries(paint)) this.bodies.set(Number(body), maps);
  }

  /** What is painted, as link, scene file and program hold it. */
  get paint(): Paint {
    return Object.fromEntries(
      Array.from(this.bodies, ([body, maps]) => [
        body,
        Object.fromEntries(Object.entries(maps).map(([map, factors]) => [map, rounded(map, factors)])),
      ]),
    );
  }

  /** The factors of a body, as painted or as it was prepared. */
  private factorsOf(body: Body, index: number, map: string): Float64Array {
    const painted = this.bodies.get(index)?.[map];
    if (painted) return painted;
    const member = this.posed.find((one) => one.body === body);
    const prepared = member ? member.maps[map] : isOfAll(map) ? body.prepared.maps[map] : undefined;
    return prepared ? Float64Array.from(prepared) : new Float64Array(body.particleCount).fill(1);
  }

  /** One dab: factors go towards the brush's, most in its middle and not at all at its rim. Maps of posed bodies stay off others. */
  dab(body: Body, index: number, [px, py, pz]: Point): void {
    const { map, factor, radius, strength, erase } = this.brush;
    if (!isOfAll(map) && !this.posed.some((one) => one.body === body)) return;
    const [least, most] = paintRange(map);
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
