// Stage conserve ends: v ← v + μ·d at the root of the flux. A body that has gone far from its origin gets another in the next step.
// uses: chunk, terms, chunk-sums, body-sums, flux-samples

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> direction: array<vec4f>; // first directions, then second
@group(0) @binding(4) var<storage, read> sums: array<f32>; // of the last round
@group(0) @binding(5) var<storage, read> positions: array<vec4f>; // x [m]; w < 0 where pinned
@group(0) @binding(6) var<storage, read> progress: array<Progress>; // how fast particles may be
@group(0) @binding(7) var<storage, read_write> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(8) var<storage, read_write> frames: array<Frame>; // shift of the next step, and how fast particles may be in it

/** How far the first particle may be from the origin, in body sizes. */
const FAR_OFF = 1.5;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  if (i == body.first) {
    let x = positions[i].xyz;
    let shift = select(vec3f(0.0), body.grid * round(x / body.grid), any(abs(x) > vec3f(FAR_OFF * body.size)));
    frames[number] = Frame(vec4f(frames[number].origin.xyz, progress[number].pressed), vec4f(shift, 0.0));
  }
  if ((body.flags & VOLUME) == 0u) { return; }
  addRows(body, lane);
  let gains = gainsOf();
  let ends = enclosing(wgSums[16], wgSums[17], false);
  if (i >= body.first + body.count || positions[i].w < 0.0 || !(gains.total > 0.0)) { return; }
  let difference = ends.w - ends.z;
  let mu = ends.x + select(0.0, -ends.z * (ends.y - ends.x) / difference, difference != 0.0);
  let d = direction[i].xyz + gains.second * direction[CHUNK * step.chunkCount + i].xyz;
  velocities[i] = vec4f(velocities[i].xyz + mu * d, velocities[i].w);
}
