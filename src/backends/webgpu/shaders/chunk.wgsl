// What a workgroup is: one chunk of 128 particles, all of one body. Bodies are padded to whole chunks.

const CHUNK = 128u;
/** Rows of prefix sums per chunk: one before each particle and one after the last. */
const CHUNK_ROWS = 129u;
/** Numbers in a row of partial sums. */
const SUM_STRIDE = 24u;
/** The last number of a row is a maximum. */
const SUM_MAX = 23u;

const ASLEEP = 1u;
const ANCHORED = 2u;
const VOLUME = 4u;
const PUSHED = 8u;
const SELF = 16u;

/** Cholesky solve of (M + floor·I)·x = b, M = xx, xy, xz | yy, yz, zz; 0 where it is not positive definite. */
fn solveSymmetric(first: vec3f, second: vec3f, floor: f32, b: vec3f) -> vec3f {
  let d0 = first.x + floor;
  if (!(d0 > 0.0)) { return vec3f(0.0); }
  let l10 = first.y / d0;
  let l20 = first.z / d0;
  let d1 = second.x + floor - l10 * first.y;
  if (!(d1 > 0.0)) { return vec3f(0.0); }
  let c21 = second.y - l10 * first.z;
  let l21 = c21 / d1;
  let d2 = second.z + floor - l20 * first.z - l21 * c21;
  if (!(d2 > 0.0)) { return vec3f(0.0); }
  let y1 = b.y - l10 * b.x;
  let y2 = b.z - l20 * b.x - l21 * y1;
  let x2 = y2 / d2;
  let x1 = y1 / d1 - l21 * x2;
  return vec3f(b.x / d0 - l10 * x1 - l20 * x2, x1, x2);
}
