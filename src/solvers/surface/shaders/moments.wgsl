// Stage match, 1 of 4: prefix sums of m̃·x⊗[x⁰; 1], 12 numbers per particle. [DBB11 eq. 4]
// uses: chunk, progress, terms, prefix-rows

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]: the body's first is what sums are relative to
@group(0) @binding(6) var<storage, read_write> frames: array<Frame>; // the shift that predict made is done
@group(0) @binding(7) var<storage, read_write> progress: array<Progress>; // the volume correction begins anew
@group(0) @binding(8) var<storage, read_write> prefix: array<vec4f>; // 4 per row

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = topology[group.x];
  let body = bodies[number];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  if (i == body.first) {
    frames[number] = Frame(frames[number].origin + frames[number].shift, vec4f(0.0));
    progress[number] = Progress(select(DONE, 0u, (body.flags & VOLUME) != 0u), 0u, 0u, 0u, vec4f(0.0), frames[number].origin.w);
  }
  let own = rest[i];
  let row = vec4f(own.position.xyz, 1.0);
  let x = own.position.w * (positions[i].xyz - starts[body.first].xyz);
  putRow(lane, 0u, x.x * row);
  putRow(lane, 4u, x.y * row);
  putRow(lane, 8u, x.z * row);
  putRow(lane, 12u, vec4f(0.0));
  scanTerms(lane);
  let at = 4u * (CHUNK_ROWS * group.x + lane + 1u);
  for (var k = 0u; k < 3u; k++) {
    prefix[at + k] = takeRow(lane, 4u * k);
    if (lane == 0u) { prefix[at - 4u + k] = vec4f(0.0); }
  }
}
