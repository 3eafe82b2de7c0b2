// The rigid part of a direction field, taken out of it: dᵢ = wᵢ·(oᵢ − a − b×rᵢ) with Σ m d = 0 and Σ m r×d = 0; not what obstacles
// support. See src/solvers/volume/direction.ts. From the sums mw, mw·x (1…3), mw·o (4…6), mw·x×o (7…9), mw·xxᵀ (10…15).
// Needs: chunk-sums.

/** Relative floor on the weighted inertia, so that a few particles in a line stay solvable. */
const PART_FLOOR = 1e-6;
/** Mean of the normals of what a body touches from which on that side bears it all. */
const SUPPORTED = 0.2;
/** Share of the outward direction, squared, below which a difference to the rigid part is rounding. */
const PART_ROUNDING2 = 1e-8;

struct RigidPart { linear: vec3f, angular: vec3f, centre: vec3f, total: f32 }

fn rigidPart(body: Body, support: vec3f) -> RigidPart {
  let total = wgSums[0];
  if ((body.flags & ANCHORED) != 0u || !(total > 0.0)) { return RigidPart(vec3f(0.0), vec3f(0.0), vec3f(0.0), total); }
  let c = sumVector(1u) / total;
  let o = sumVector(4u) / total;
  let torque = sumVector(7u) / total - cross(c, o);
  let first = sumVector(10u) / total;
  let second = sumVector(13u) / total;
  let xx = first.x - c.x * c.x;
  let yy = second.x - c.y * c.y;
  let zz = second.z - c.z * c.z;
  let i0 = vec3f(yy + zz, c.x * c.y - first.y, c.x * c.z - first.z);
  let i1 = vec3f(xx + zz, c.y * c.z - second.y, xx + yy);
  let turn = solveSymmetric(i0, i1, PART_FLOOR * (i0.x + i1.x + i1.z), torque);
  var a = o;
  let square = dot(support, support);
  if (square > 0.0) { a -= (dot(support, o) / square) * min(1.0, sqrt(square) / SUPPORTED) * support; }
  return RigidPart(a, turn, c, total);
}

/** The direction of a particle at x whose outward direction is `out`. */
fn directionAt(part: RigidPart, weight: f32, out: vec3f, x: vec3f) -> vec3f {
  if (!(part.total > 0.0)) { return vec3f(0.0); }
  let d = out - part.linear - cross(part.angular, x - part.centre);
  return select(vec3f(0.0), weight * d, dot(d, d) > PART_ROUNDING2 * dot(out, out));
}
