// Stage damp ends: the momentum that damping took is given back. Of a body that obstacles press the sums are what slow-down goes by.
// uses: chunk, terms, chunk-sums, body-sums, rigid-field, pressing

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>; // shares of the mass
@group(0) @binding(4) var<storage, read> frames: array<Frame>; // how fast particles may be
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(6) var<storage, read> sums: array<f32>; // of the damping
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(8) var<storage, read_write> speedSums: array<f32>; // m·v, m·x×v; the same of what is slowed down; m·x, m·xxᵀ; last the fastest, squared

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  addRows(body, lane);
  let i = CHUNK * group.x + lane;
  let start = starts[i];
  let x = start.xyz - starts[body.first].xyz;
  var v = velocities[i].xyz;
  if ((body.flags & ANCHORED) == 0u && i < body.first + body.count && start.w == 0.0) {
    let centre = sumVector(6u);
    let linear = sumVector(0u);
    let field = rigidField(linear, sumVector(3u) - cross(centre, linear), centre, sumVector(9u), sumVector(12u));
    v -= fieldAt(field, x);
    velocities[i] = vec4f(v, velocities[i].w);
  }
  let speed = frames[number].origin.w;
  if (speed == 0.0) { return; }
  workgroupBarrier();
  let m = rest[i].areas.w;
  let held = v * heldShare(v, mostOf(speed, body.size));
  putVector(lane, 0u, m * v);
  putVector(lane, 3u, m * cross(x, v));
  putVector(lane, 6u, m * held);
  putVector(lane, 9u, m * cross(x, held));
  putVector(lane, 12u, m * x);
  putMoments(lane, 15u, m, x);
  putTerm(lane, SUM_MAX, select(0.0, dot(held, held), i < body.first + body.count));
  addTerms(lane, 21u);
  if (lane < SUM_STRIDE) { speedSums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
