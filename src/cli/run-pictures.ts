// Pictures of a run that is not baked, for its report: of some of its steps.

import { takeBody } from '../bake/bake-frames.js';
import { BakeRecord, MemoryStore } from '../bake/bake-record.js';
import { type StillPicture, type StillPicturesOptions, spread, stillPictures } from '../bake/still-pictures.js';
import type { Frame } from '../scenes/index.js';

const COUNT = 4;

export class RunPictures {
  private record: BakeRecord | undefined;
  private readonly steps: number[] = [];
  private wanted: ReadonlySet<number> = new Set();
  private fps = 1;

  /** Takes every frame of a run in its order. */
  async note({ step, steps, last, world, bodies }: Frame): Promise<void> {
    if (!this.record) {
      this.fps = 1 / world.timeStep;
      this.wanted = new Set(spread(steps + 1, COUNT));
      this.record = new BakeRecord({ fps: this.fps, from: 0, frameCount: COUNT, steps }, new MemoryStore());
      this.record.noteWorld(world, bodies);
    }
    if (!this.wanted.has(step) && !last) return;
    await this.record.add(
      this.steps.length,
      bodies.map((body, n) => takeBody(body, n)),
    );
    this.steps.push(step);
  }

  /** None where nothing was noted. */
  async draw(size: Pick<StillPicturesOptions, 'width' | 'height'> = {}): Promise<StillPicture[]> {
    if (!this.record) return [];
    const baked = { ...this.record.baked(), frameCount: this.steps.length, numbers: this.steps };
    return stillPictures(baked, { ...size, count: COUNT });
  }
}
