// Where a vertex animation texture keeps what: vertices side by side, frames one below the other; where there are more vertices than
// fit a row, they go on in another block of rows. As OpenVAT has it.

export interface VatLayout {
  /** Powers of two [px]. */
  readonly width: number;
  readonly height: number;
  readonly vertexCount: number;
  readonly frameCount: number;
}

/** What every graphics card of today takes [px]. */
const LARGEST_SIDE = 4096;

/** The picture with the fewest pixels, of those the one nearest to a square. @throws RangeError where none is large enough. */
export function vatLayout(name: string, vertexCount: number, frameCount: number): VatLayout {
  let best: VatLayout | undefined;
  for (let width = 1; width <= LARGEST_SIDE; width *= 2) {
    const rows = Math.ceil(vertexCount / width) * frameCount;
    let height = 1;
    while (height < rows) height *= 2;
    if (height > LARGEST_SIDE) continue;
    const layout = { width, height, vertexCount, frameCount };
    if (!best || rate(layout) < rate(best)) best = layout;
  }
  if (best) return best;
  const most = LARGEST_SIDE ** 2;
  throw new RangeError(
    `${name}: expected at most some ${most} vertices times frames in a texture, got ${vertexCount} times ${frameCount}; bake fewer frames with --fps or --to`,
  );
}

const rate = ({ width, height }: VatLayout): number => width * height + Math.abs(width - height) / (4 * LARGEST_SIDE);

/** Number of the pixel of a vertex in a frame, from the top left. */
export const vatPixel = ({ width, frameCount }: VatLayout, vertex: number, frame: number): number =>
  (Math.floor(vertex / width) * frameCount + frame) * width + (vertex % width);

/** Texture coordinates of all vertices in the first frame, from the top left, in the middle of their pixels. */
export function vatCoordinates(layout: VatLayout): Float32Array {
  const { width, height, vertexCount } = layout;
  const out = new Float32Array(2 * vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    const pixel = vatPixel(layout, i, 0);
    out[2 * i] = ((pixel % width) + 0.5) / width;
    out[2 * i + 1] = (Math.floor(pixel / width) + 0.5) / height;
  }
  return out;
}
