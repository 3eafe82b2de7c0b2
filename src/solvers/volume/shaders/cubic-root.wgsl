// The root of a cubic nearest to 0 on the branch that rises through 0; see src/solvers/volume/cubic.ts.

/** Smallest positive root of a·x² + b·x + c with c > 0; a large number where there is none. */
fn firstPositiveRoot(a: f32, b: f32, c: f32) -> f32 {
  let discriminant = b * b - 4.0 * a * c;
  if (discriminant < 0.0) { return 1e30; }
  let root = sqrt(discriminant);
  // Of both ways to write it the one that subtracts nothing from what is nearly as large.
  if (b > 0.0) { return select(1e30, (root + b) / (-2.0 * a), a < 0.0); }
  return select(1e30, 2.0 * c / (root - b), root > b);
}

/** λ with c.x + c.y·λ + c.z·λ² + c.w·λ³ = goal, |λ| ≤ limit; where the branch does not reach it, its end. */
fn cubicRoot(c: vec4f, goal: f32, limit: f32) -> f32 {
  let missing = goal - c.x;
  if (!(c.y > 0.0) || missing == 0.0 || !(limit > 0.0)) { return 0.0; }
  let side = sign(missing);
  let q = c.z * side;
  let amount = abs(missing);
  var high = min(limit, firstPositiveRoot(3.0 * c.w, 2.0 * q, c.y));
  if (high * (c.y + high * (q + high * c.w)) <= amount) { return side * high; }
  var low = 0.0;
  var mu = min(high, amount / c.y);
  for (var iteration = 0; iteration < 40; iteration++) {
    let error = mu * (c.y + mu * (q + mu * c.w)) - amount;
    if (error > 0.0) { high = mu; } else { low = mu; }
    let newton = mu - error / (c.y + mu * (2.0 * q + mu * 3.0 * c.w));
    if (abs(newton - mu) <= 1e-7 * mu) { break; }
    mu = select(0.5 * (low + high), newton, newton > low && newton < high);
  }
  return side * mu;
}
