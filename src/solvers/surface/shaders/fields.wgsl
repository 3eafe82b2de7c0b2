// Stage damp, 2 of 3: the rigid velocity field of each region, ω and v − ω×t, from the sums of its momenta, and their prefix sums.
// uses: chunk, terms, prefix-rows, region-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, intervals
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> prefix: array<vec4f>; // of the momenta
@group(0) @binding(5) var<storage, read_write> prefixNext: array<vec4f>; // of the fields

/** Floor on a region's inertia, relative to rest: collapsed regions stay solvable, and others keep their digits. */
const REGION_FLOOR = 1e-6;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  var turn = vec3f(0.0);
  var linear = vec3f(0.0);
  if (i < body.first + body.count) {
    let own = rest[i];
    let sum = sumRegion(i);
    let mass = own.centre.w;
    let t = sum.a.xyz / mass;
    let v = vec3f(sum.a.w, sum.b.xy) / mass;
    let angular = vec3f(sum.b.zw, sum.c.x) - mass * cross(t, v);
    let xx = sum.c.y - mass * t.x * t.x;
    let yy = sum.d.x - mass * t.y * t.y;
    let zz = sum.d.z - mass * t.z * t.z;
    let i0 = vec3f(yy + zz, mass * t.x * t.y - sum.c.z, mass * t.x * t.z - sum.c.w);
    let i1 = vec3f(xx + zz, mass * t.y * t.z - sum.d.y, xx + yy);
    turn = own.painted.z * solveSymmetric(i0, i1, REGION_FLOOR * own.areas.y, angular);
    linear = own.painted.z * v - cross(turn, t);
  }
  putRow(lane, 0u, vec4f(turn, linear.x));
  putRow(lane, 4u, vec4f(linear.yz, 0.0, 0.0));
  putRow(lane, 8u, vec4f(0.0));
  putRow(lane, 12u, vec4f(0.0));
  scanTerms(lane);
  let at = 4u * (CHUNK_ROWS * group.x + lane + 1u);
  for (var k = 0u; k < 2u; k++) {
    prefixNext[at + k] = takeRow(lane, 4u * k);
    if (lane == 0u) { prefixNext[at - 4u + k] = vec4f(0.0); }
  }
}
