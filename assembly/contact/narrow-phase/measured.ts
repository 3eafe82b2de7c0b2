// The result of the last measurement of an obstacle's shape: signed distance and outward normal.

export let distance: f32 = 0;
export let nx: f32 = 0;
export let ny: f32 = 0;
export let nz: f32 = 0;

/** Also replaces the last result: by the same point's distance to a plane, or by a normal turned to another frame. */
// @ts-ignore: decorator
@inline export function setResult(d: f32, x: f32, y: f32, z: f32): void {
  distance = d;
  nx = x;
  ny = y;
  nz = z;
}
