// The rigid velocity field a + b×(x − c) with given momenta: Σ m v = 0…2, Σ m x×v = 3…5 of the sums, Σ m x = 6…8, Σ m xxᵀ = 9…14.
// The masses of a body are shares: their sum is 1.

/** Relative floor on the inertia: enough to solve for lines and points. */
const INERTIA_FLOOR = 1e-6;

struct RigidField { linear: vec3f, angular: vec3f, centre: vec3f }

fn rigidField(linear: vec3f, angular: vec3f, centre: vec3f, first: vec3f, second: vec3f) -> RigidField {
  let xx = first.x - centre.x * centre.x;
  let yy = second.x - centre.y * centre.y;
  let zz = second.z - centre.z * centre.z;
  let i0 = vec3f(yy + zz, centre.x * centre.y - first.y, centre.x * centre.z - first.z);
  let i1 = vec3f(xx + zz, centre.y * centre.z - second.y, xx + yy);
  let floor = INERTIA_FLOOR * (i0.x + i1.x + i1.z);
  return RigidField(linear, solveSymmetric(i0, i1, floor, angular), centre);
}

fn fieldAt(field: RigidField, x: vec3f) -> vec3f {
  return field.linear + cross(field.angular, x - field.centre);
}
