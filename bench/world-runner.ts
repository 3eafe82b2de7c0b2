// A world of ours as a contender.

import type { Body, World } from '../src/index.js';
import { StateHash } from '../src/math/hash.js';
import type { BuiltScene } from '../src/scenes/index.js';
import { volumeErrorPercent } from '../src/scenes/report.js';
import type { Runner } from './interleave.js';
import type { RowHead } from './rows.js';

export class WorldRunner implements Runner {
  readonly world: World;
  readonly bodies: readonly Body[];

  /** `further` columns go into the row as they are. */
  constructor(
    { world, bodies }: Pick<BuiltScene, 'world' | 'bodies'>,
    private readonly further: Readonly<Record<string, number>> = {},
  ) {
    this.world = world;
    this.bodies = bodies;
  }

  step(): void {
    this.world.step();
  }

  /** Bodies that do not ask for their volume are left out. */
  volumeErrorPercent(): number {
    const errors = this.bodies.filter(({ settings }) => settings.volume !== false).map(volumeErrorPercent);
    return Math.max(0, ...errors);
  }

  hash(): string {
    const hash = new StateHash();
    for (const { positions } of this.bodies) hash.update(positions);
    return hash.digest();
  }

  /** With the threads as the backend took them. */
  figures(): Partial<RowHead> {
    return { threads: this.world.capabilities.threads, ...this.further };
  }

  dispose(): void {
    this.world.dispose();
  }
}
