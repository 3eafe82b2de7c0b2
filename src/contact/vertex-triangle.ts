// A point against a triangle: nearest point, and when a moving point meets a moving triangle.
// Based on: C. Ericson, Real-time collision detection, 2005, §5.1.5 (nearest point), and X. Provot, Collision and
// self-collision handling in cloth model dedicated to design garments, 1997 (the meeting is a root of a cubic).

/** Weights of the triangle's corners at the point found last, and the vector from there to the point [m]. */
export const nearest = { wa: 0, wb: 0, wc: 0, dx: 0, dy: 0, dz: 0 };

/** Finds the point of triangle (a, b, c) nearest to p (indices of x coordinates); returns its squared distance [m²]. */
export function nearestOfTriangle(
  points: Float64Array,
  p: number,
  corners: Float64Array,
  a: number,
  b: number,
  c: number,
): number {
  const ax = corners[a];
  const ay = corners[a + 1];
  const az = corners[a + 2];
  const ux = corners[b] - ax;
  const uy = corners[b + 1] - ay;
  const uz = corners[b + 2] - az;
  const vx = corners[c] - ax;
  const vy = corners[c + 1] - ay;
  const vz = corners[c + 2] - az;
  const px = points[p] - ax;
  const py = points[p + 1] - ay;
  const pz = points[p + 2] - az;
  const d1 = ux * px + uy * py + uz * pz;
  const d2 = vx * px + vy * py + vz * pz;
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  // Dot products of u and v with the vectors from b and from c to p.
  const d3 = d1 - uu;
  const d4 = d2 - uv;
  const d5 = d1 - uv;
  const d6 = d2 - vv;
  let wb = 0;
  let wc = 0;
  if (d1 <= 0 && d2 <= 0) {
    // corner a
  } else if (d3 >= 0 && d4 <= d3) {
    wb = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    wc = 1;
  } else {
    const na = d3 * d6 - d5 * d4;
    const nb = d5 * d2 - d1 * d6;
    const nc = d1 * d4 - d3 * d2;
    if (nc <= 0 && d1 >= 0 && d3 <= 0) wb = d1 / (d1 - d3);
    else if (nb <= 0 && d2 >= 0 && d6 <= 0) wc = d2 / (d2 - d6);
    else if (na <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      wc = (d4 - d3) / (d4 - d3 + (d5 - d6));
      wb = 1 - wc;
    } else {
      const sum = na + nb + nc;
      wb = sum > 0 ? nb / sum : 0;
      wc = sum > 0 ? nc / sum : 0;
    }
  }
  nearest.wa = 1 - wb - wc;
  nearest.wb = wb;
  nearest.wc = wc;
  const dx = px - wb * ux - wc * vx;
  const dy = py - wb * uy - wc * vy;
  const dz = pz - wb * uz - wc * vz;
  nearest.dx = dx;
  nearest.dy = dy;
  nearest.dz = dz;
  return dx * dx + dy * dy + dz * dz;
}

/** Where a moving point met a moving triangle: share of the step, weights, unit normal on the side it came from. */
export const meeting = { time: 0, wa: 0, wb: 0, wc: 0, nx: 0, ny: 0, nz: 0 };

/** How far outside a triangle a meeting still counts, in weights: neighbours overlap by it, so that no edge lets pass. */
const EDGE_SLACK = 1e-6;

/** The corners relative to the point: at the start, and how they change. */
const from = new Float64Array(9);
const change = new Float64Array(9);
const now = new Float64Array(9);
const cubic = new Float64Array(4);
const ends4 = new Float64Array(4);

/**
 * First time in [0, 1] at which a point that moves straight lies in a triangle whose corners move straight; from the side
 * of the triangle's normal, or from either with `twoSided`. Whether there is one; it is in `meeting`.
 */
export function meetTriangle(
  pointStarts: Float64Array,
  pointEnds: Float64Array,
  p: number,
  starts: Float64Array,
  ends: Float64Array,
  a: number,
  b: number,
  c: number,
  twoSided: boolean,
): boolean {
  for (let k = 0; k < 3; k++) {
    const start = pointStarts[p + k];
    const end = pointEnds[p + k];
    from[k] = starts[a + k] - start;
    from[3 + k] = starts[b + k] - start;
    from[6 + k] = starts[c + k] - start;
    change[k] = ends[a + k] - end - from[k];
    change[3 + k] = ends[b + k] - end - from[3 + k];
    change[6 + k] = ends[c + k] - end - from[6 + k];
  }
  writeVolumeCubic();
  // Between its extrema the cubic has one root at most.
  const pieces = splitAtExtrema();
  let before = cubic[0];
  for (let n = 1; n <= pieces; n++) {
    const after = volumeAt(ends4[n]);
    const enters = before < 0 && after >= 0;
    const leaves = twoSided && before > 0 && after <= 0;
    if ((enters || leaves) && liesInside(rootBetween(ends4[n - 1], ends4[n], enters), enters)) return true;
    if (after !== 0) before = after;
  }
  return false;
}

/**
 * a·(b×c), corners as seen from the point, is six times the volume under the triangle: 0 when the point is in its plane,
 * negative on the side of the normal.
 */
function writeVolumeCubic(): void {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = from;
  const [dx, dy, dz, ex, ey, ez, fx, fy, fz] = change;
  const px = by * cz - bz * cy;
  const py = bz * cx - bx * cz;
  const pz = bx * cy - by * cx;
  const qx = by * fz - bz * fy + ey * cz - ez * cy;
  const qy = bz * fx - bx * fz + ez * cx - ex * cz;
  const qz = bx * fy - by * fx + ex * cy - ey * cx;
  const rx = ey * fz - ez * fy;
  const ry = ez * fx - ex * fz;
  const rz = ex * fy - ey * fx;
  cubic[0] = ax * px + ay * py + az * pz;
  cubic[1] = dx * px + dy * py + dz * pz + ax * qx + ay * qy + az * qz;
  cubic[2] = dx * qx + dy * qy + dz * qz + ax * rx + ay * ry + az * rz;
  cubic[3] = dx * rx + dy * ry + dz * rz;
}

const volumeAt = (t: number): number => cubic[0] + t * (cubic[1] + t * (cubic[2] + t * cubic[3]));

/** Writes 0, the cubic's extrema within (0, 1) and 1 to `ends4`; returns the number of pieces. */
function splitAtExtrema(): number {
  const a = 3 * cubic[3];
  const b = cubic[2];
  const c = cubic[1];
  ends4[0] = 0;
  let pieces = 0;
  const discriminant = b * b - a * c;
  if (discriminant > 0) {
    // The form that loses no digits; one root is q/a, the other c/q.
    const q = b < 0 ? Math.sqrt(discriminant) - b : -Math.sqrt(discriminant) - b;
    const one = q / a;
    const other = c / q;
    const first = Math.min(one, other);
    const second = Math.max(one, other);
    if (first > 0 && first < 1) ends4[++pieces] = first;
    if (second > 0 && second < 1) ends4[++pieces] = second;
  }
  ends4[++pieces] = 1;
  return pieces;
}

/** The root in a piece on which the cubic rises (or falls) through 0: Newton's method, kept in by bisection. */
function rootBetween(start: number, end: number, rises: boolean): number {
  let low = start;
  let high = end;
  let t = 0.5 * (low + high);
  for (let round = 0; round < 40 && high - low > 1e-12; round++) {
    const value = volumeAt(t);
    if (value < 0 === rises) low = t;
    else high = t;
    const slope = cubic[1] + t * (2 * cubic[2] + t * 3 * cubic[3]);
    const next = t - value / slope;
    if (Math.abs(next - t) < 1e-14) break;
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  return t;
}

/** Whether the point, in the plane of the triangle at time t, is inside it; writes `meeting`. */
function liesInside(t: number, entered: boolean): boolean {
  for (let k = 0; k < 9; k++) now[k] = from[k] + t * change[k];
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = now;
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  if (!(square > 0)) return false;
  // n·((b − p)×(c − p)) is the weight of a.
  const wa = (nx * (by * cz - bz * cy) + ny * (bz * cx - bx * cz) + nz * (bx * cy - by * cx)) / square;
  const wb = (nx * (cy * az - cz * ay) + ny * (cz * ax - cx * az) + nz * (cx * ay - cy * ax)) / square;
  const wc = 1 - wa - wb;
  if (wa < -EDGE_SLACK || wb < -EDGE_SLACK || wc < -EDGE_SLACK) return false;
  const scale = (entered ? 1 : -1) / Math.sqrt(square);
  meeting.time = t;
  meeting.wa = wa;
  meeting.wb = wb;
  meeting.wc = wc;
  meeting.nx = nx * scale;
  meeting.ny = ny * scale;
  meeting.nz = nz * scale;
  return true;
}
