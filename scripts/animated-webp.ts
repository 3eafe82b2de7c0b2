// An animated WebP of single pictures: the container only, their compression is the browser's.
// Based on: Google, "WebP Container Specification" (RFC 9649), sections 2.7.1.1 (ANIM) and 2.7.1.2 (ANMF).

const chunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** The chunks of a single picture that hold it: `VP8 ` or `VP8L`, and its `ALPH`. */
function imageChunks(webp: Buffer): Buffer {
  if (webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 12) !== 'WEBP') {
    throw new RangeError('frames: expected WebP pictures');
  }
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(webp.toString('latin1', at, at + 4))) {
      kept.push(webp.subarray(at, end), Buffer.alloc(end % 2));
    }
    at = end + (end % 2);
  }
  return Buffer.concat(kept);
}

export interface WebpFrame {
  /** A WebP picture of its own. */
  readonly webp: Buffer;
  /** Its place in the whole, both even [px]. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** [ms] */
  readonly duration: number;
}

/** Frames drawn over each other, again and again. */
export function writeAnimatedWebp(width: number, height: number, frames: readonly WebpFrame[]): Buffer {
  const canvas = Buffer.alloc(10);
  canvas[0] = 0b10; // animated
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const animation = Buffer.alloc(6); // no background, for ever
  const parts = frames.map((frame) => {
    const head = Buffer.alloc(16);
    head.writeUIntLE(frame.x / 2, 0, 3);
    head.writeUIntLE(frame.y / 2, 3, 3);
    head.writeUIntLE(frame.width - 1, 6, 3);
    head.writeUIntLE(frame.height - 1, 9, 3);
    head.writeUIntLE(frame.duration, 12, 3);
    head[15] = 0b10; // over what is there without blending, and left there
    return chunk('ANMF', Buffer.concat([head, imageChunks(frame.webp)]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', canvas), chunk('ANIM', animation), ...parts]);
  return chunk('RIFF', body);
}
