// How much each particle takes part in the correction, before it is divided by the sum: β·σ·d + (1 − β)·‖c‖; see
// src/solvers/volume/weights.ts. [DBB11 eq. 10] The sums also hold the support by obstacles and how many particles touch something.
// uses: chunk, progress, terms, chunk-sums, pressing

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]; w = ‖c‖, negative where pinned
@group(0) @binding(5) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read_write> shares: array<vec4f>; // share, marks, factor
@group(0) @binding(8) var<storage, read_write> sums: array<f32>; // share, m·normal of obstacles (3), 1 where it touches, m on obstacles, m·v (3); last the square of an obstacle's speed

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  let own = rest[i];
  var share = 0.0;
  var marks = 0u;
  var support = vec3f(0.0);
  var pressed = 0.0;
  var fastest2 = 0.0;
  if (i < body.first + body.count) {
    share = (1.0 - body.innerShare) * abs(positions[i].w);
    let partner = body.first + u32(own.pair.x);
    if (body.innerShare > 0.0 && partner != i) {
      let stiffness = mix(body.innerHigh, body.innerLow, own.pair.z);
      share += body.innerShare * stiffness * abs(distance(positions[i].xyz, positions[partner].xyz) - own.pair.y);
    }
    let touch = contacts[4u * i + 1u].w;
    if (positions[i].w < 0.0) { marks += PINNED; }
    if ((u32(touch) & 1u) != 0u) {
      marks += ON_OBSTACLE;
      let normal = contacts[4u * i].xyz;
      let surface = contacts[4u * i + 1u].xyz;
      pressed = own.areas.w;
      support = pressed * normal;
      // What leaves explains no motion of the body.
      if (!(-dot(surface, normal) > LEAVING * length(surface))) { fastest2 = dot(surface, surface); }
    }
    if ((u32(touch) & 2u) != 0u) { marks += ON_BODY; }
  }
  shares[i] = vec4f(share, f32(marks), own.pair.w, 0.0);
  putTerm(lane, 0u, share);
  putVector(lane, 1u, support);
  putTerm(lane, 4u, select(0.0, 1.0, (marks & (ON_OBSTACLE | ON_BODY)) != 0u));
  putTerm(lane, 5u, pressed);
  putVector(lane, 6u, own.areas.w * velocities[i].xyz);
  putTerm(lane, SUM_MAX, fastest2);
  addTerms(lane, 9u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
