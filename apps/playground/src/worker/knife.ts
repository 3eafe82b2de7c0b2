// The knife in the hand: a stroke through every body that it is seen to cross, from where it began beside them.

import type { Body } from 'isochore';
import type { Point } from '../protocol.js';

type Stroke = ReturnType<Body['beginCut']>;

export class Knife {
  /** Where the blade was since it was set down: points that it passed through, and along which direction. */
  private readonly way: (readonly [point: Point, direction: Point])[] = [];
  /** Nothing for bodies that cannot be cut. */
  private readonly strokes = new Map<number, Stroke | undefined>();

  constructor(private readonly bodies: readonly Body[]) {}

  /** Moves the blade, which is without end; `body` is the one that it is seen to touch. */
  moveTo(point: Point, direction: Point, body: number | undefined): void {
    for (const stroke of this.strokes.values()) if (stroke?.active) stroke.moveTo(point, direction);
    this.way.push([point, direction]);
    if (body === undefined || this.strokes.has(body)) return;
    // Said once, if it cannot be cut.
    this.strokes.set(body, undefined);
    const stroke = this.bodies[body].beginCut();
    for (const place of this.way) stroke.moveTo(...place);
    this.strokes.set(body, stroke);
  }

  lift(): void {
    for (const stroke of this.strokes.values()) stroke?.end();
  }
}
