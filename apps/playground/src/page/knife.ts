// The knife in the hand: a stroke through every body that it is seen to cross, from where it began beside them.

import type { WorkerBody, WorkerStroke } from 'isochore/worker';
import type { Point } from '../protocol.js';

export class Knife {
  /** Where the blade was since it was set down: points that it passed through, and along which direction. */
  private readonly way: (readonly [point: Point, direction: Point])[] = [];
  private readonly strokes = new Map<WorkerBody, WorkerStroke>();

  /** @param onRefused told once of each body that cannot be cut. */
  constructor(private readonly onRefused: (error: Error) => void) {}

  /** Moves the blade, which is without end; `body` is the one that it is seen to touch. */
  moveTo(point: Point, direction: Point, body: WorkerBody | undefined): void {
    for (const stroke of this.strokes.values()) if (stroke.active) stroke.moveTo(point, direction);
    this.way.push([point, direction]);
    if (!body || this.strokes.has(body)) return;
    const stroke = body.beginCut();
    stroke.ready.catch(this.onRefused);
    for (const place of this.way) stroke.moveTo(...place);
    this.strokes.set(body, stroke);
  }

  lift(): void {
    for (const stroke of this.strokes.values()) stroke.end();
  }
}
