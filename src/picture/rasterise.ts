// Fills triangles on a grid of pixels: for pictures and for shadow maps alike.

export type Channel = Float32Array<ArrayBuffer>;

/**
 * Visits every pixel whose centre lies in a triangle. `screen` has x, y [pixels] and a depth that is linear on the
 * screen per corner; a triangle with a corner that is not finite (behind the camera) is left out.
 */
export function rasterise(
  screen: Channel,
  width: number,
  height: number,
  visit: (pixel: number, triangle: number, a: number, b: number, c: number, depth: number) => void,
): void {
  for (let t = 0; t < screen.length / 9; t++) {
    const ax = screen[9 * t];
    const ay = screen[9 * t + 1];
    const ad = screen[9 * t + 2];
    const bx = screen[9 * t + 3];
    const by = screen[9 * t + 4];
    const bd = screen[9 * t + 5];
    const cx = screen[9 * t + 6];
    const cy = screen[9 * t + 7];
    const cd = screen[9 * t + 8];
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (!Number.isFinite(area) || area === 0) continue;
    const x0 = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const x1 = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const y0 = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const y1 = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        const px = x + 0.5;
        const py = y + 0.5;
        const a = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area;
        const b = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area;
        const c = 1 - a - b;
        if (a >= 0 && b >= 0 && c >= 0) visit(y * width + x, t, a, b, c, a * ad + b * bd + c * cd);
      }
    }
  }
}
