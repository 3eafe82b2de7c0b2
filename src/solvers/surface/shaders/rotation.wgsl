// The rotation nearest to a matrix, from the previous one: Newton's method on max tr(RᵀA); where its Hessian is not positive definite,
// the largest eigenvector of Horn's 4×4 matrix decides. See src/solvers/rotation.ts.
// Based on: B. K. P. Horn, Closed-form solution of absolute orientation using unit quaternions, 1987.

/** A pivot of the Hessian below this share of the rest moment determines nothing (single precision's noise in A). */
const LEAST = 1e-6;
const PREVIOUS_SHARE = 1e-6;
const NEWTON_LIMIT = 12;
/** Largest last step, squared [rad²]; the quadratic convergence leaves about its square. */
const NEWTON_TOLERANCE2 = 1e-7;
const SWEEPS = 8;

/** Rows of the matrix of a quaternion x, y, z, w, as columns of a WGSL matrix. */
fn rotationRows(q: vec4f) -> mat3x3f {
  let x = q.x; let y = q.y; let z = q.z; let w = q.w;
  return mat3x3f(
    vec3f(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
    vec3f(2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
    vec3f(2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
  );
}

struct Climb { quaternion: vec4f, found: bool }

/** `a` holds rows of A as its columns. */
fn climb(a: mat3x3f, least: f32, previous: vec4f) -> Climb {
  var q = previous;
  for (var iteration = 0; iteration < NEWTON_LIMIT; iteration++) {
    let r = rotationRows(q);
    // B = A Rᵀ: b[m][n] = row m of A · row n of R
    let b = mat3x3f(a[0] * r, a[1] * r, a[2] * r);
    let gradient = vec3f(b[2].y - b[1].z, b[0].z - b[2].x, b[1].x - b[0].y);
    let h0 = vec3f(b[1].y + b[2].z, -0.5 * (b[0].y + b[1].x), -0.5 * (b[0].z + b[2].x));
    let h1 = vec3f(b[0].x + b[2].z, -0.5 * (b[1].z + b[2].y), b[0].x + b[1].y);
    let l10 = h0.y / h0.x;
    let l20 = h0.z / h0.x;
    let d1 = h1.x - l10 * h0.y;
    let c21 = h1.y - l10 * h0.z;
    let d2 = h1.z - l20 * h0.z - (c21 / d1) * c21;
    if (!(h0.x > least && d1 > least && d2 > least)) { return Climb(previous, false); }
    let w = 0.5 * solveSymmetric(h0, h1, 0.0, gradient);
    // Cayley turn by 2w.
    q = normalize(vec4f(q.xyz + w * q.w + cross(w, q.xyz), q.w - dot(w, q.xyz)));
    if (4.0 * dot(w, w) < NEWTON_TOLERANCE2) { return Climb(q, true); }
  }
  return Climb(previous, false);
}

/** Cyclic Jacobi on Horn's matrix; its largest eigenvector, or the previous rotation where A is 0. */
fn largestEigenvector(m: mat3x3f, previous: vec4f) -> vec4f {
  let size = max(max(length(m[0]), length(m[1])), length(m[2]));
  if (!(size > 0.0 && size < 1e30)) { return previous; }
  let k = 1.0 / size;
  var n = mat4x4f(
    vec4f(m[0].x - m[1].y - m[2].z, m[0].y + m[1].x, m[0].z + m[2].x, m[2].y - m[1].z) * k,
    vec4f(m[0].y + m[1].x, m[1].y - m[0].x - m[2].z, m[1].z + m[2].y, m[0].z - m[2].x) * k,
    vec4f(m[0].z + m[2].x, m[1].z + m[2].y, m[2].z - m[0].x - m[1].y, m[1].x - m[0].y) * k,
    vec4f(m[2].y - m[1].z, m[0].z - m[2].x, m[1].x - m[0].y, m[0].x + m[1].y + m[2].z) * k,
  );
  var vectors = mat4x4f(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
  for (var sweep = 0; sweep < SWEEPS; sweep++) {
    for (var r = 0; r < 3; r++) {
      for (var c = r + 1; c < 4; c++) {
        let pivot = n[r][c];
        if (abs(pivot) < 1e-9) { continue; }
        let theta = (n[c][c] - n[r][r]) / (2.0 * pivot);
        let t = select(-1.0, 1.0, theta >= 0.0) / (abs(theta) + sqrt(theta * theta + 1.0));
        let cosine = inverseSqrt(t * t + 1.0);
        let sine = t * cosine;
        for (var e = 0; e < 4; e++) {
          let u = n[e][r]; let v = n[e][c];
          n[e][r] = cosine * u - sine * v;
          n[e][c] = sine * u + cosine * v;
        }
        let rowR = n[r]; let rowC = n[c];
        n[r] = cosine * rowR - sine * rowC;
        n[c] = sine * rowR + cosine * rowC;
        let oldR = vectors[r]; let oldC = vectors[c];
        vectors[r] = cosine * oldR - sine * oldC;
        vectors[c] = sine * oldR + cosine * oldC;
      }
    }
  }
  var best = 0;
  for (var d = 1; d < 4; d++) { if (n[d][d] > n[best][best]) { best = d; } }
  return normalize(vectors[best]);
}

/** The rotation nearest to A (rows as columns), `moment` its trace at rest. */
fn nearestRotation(a: mat3x3f, moment: f32, previous: vec4f) -> vec4f {
  let least = LEAST * moment;
  let near = climb(a, least, previous);
  if (near.found) { return near.quaternion; }
  let r = rotationRows(previous);
  let share = PREVIOUS_SHARE * moment;
  let start = largestEigenvector(mat3x3f(a[0] + share * r[0], a[1] + share * r[1], a[2] + share * r[2]), previous);
  return climb(a, least, start).quaternion;
}
