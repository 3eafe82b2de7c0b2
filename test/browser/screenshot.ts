// What a page shows, as pixels to make assertions on: a broken canvas raises no error.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

export type Colour = readonly [red: number, green: number, blue: number];

export interface ScreenshotOptions {
  /** Only this element, such as `canvas`; the whole view unless set. */
  selector?: string;
  /** Where to keep the picture as a PNG file, to look at. */
  file?: string;
}

export class Screenshot {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha per pixel, row by row from the top [0…255]. */
  readonly pixels: Uint8Array;

  constructor(png: Uint8Array) {
    const { width, height, data } = PNG.sync.read(Buffer.from(png));
    this.width = width;
    this.height = height;
    this.pixels = data;
  }

  /** Colour of a pixel, from the left and from the top. */
  at(x: number, y: number): Colour {
    if (!(x >= 0 && x < this.width && y >= 0 && y < this.height)) {
      throw new RangeError(`pixel: expected one within ${this.width} × ${this.height}, got ${x}, ${y}`);
    }
    const start = 4 * (Math.floor(y) * this.width + Math.floor(x));
    return [this.pixels[start], this.pixels[start + 1], this.pixels[start + 2]];
  }

  /** Share of the pixels whose colour a test accepts [0…1]. */
  share(accepts: (red: number, green: number, blue: number) => boolean): number {
    let count = 0;
    for (let k = 0; k < this.pixels.length; k += 4)
      if (accepts(this.pixels[k], this.pixels[k + 1], this.pixels[k + 2])) count++;
    return count / (this.width * this.height);
  }

  /** Share of the pixels that differ from another picture of the same size by more than `tolerance` in a channel [0…1]. */
  difference(other: Screenshot, tolerance = 8): number {
    if (other.width !== this.width || other.height !== this.height) {
      throw new RangeError(
        `picture: expected ${this.width} × ${this.height} pixels, got ${other.width} × ${other.height}`,
      );
    }
    let index = 0;
    return this.share((...colour) => {
      const start = 4 * index++;
      return colour.some((value, channel) => Math.abs(value - other.pixels[start + channel]) > tolerance);
    });
  }
}

export async function takeScreenshot(page: Page, options: ScreenshotOptions = {}): Promise<Screenshot> {
  const png = await (options.selector ? page.locator(options.selector) : page).screenshot({ type: 'png' });
  if (options.file) {
    mkdirSync(dirname(options.file), { recursive: true });
    writeFileSync(options.file, png);
  }
  return new Screenshot(png);
}
