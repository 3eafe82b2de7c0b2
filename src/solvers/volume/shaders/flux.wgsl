// A round of the search for the velocity correction: the flux at 16 places, counting what obstacles let pass.
// uses: chunk, terms, chunk-sums, body-sums, flux-samples, stop-approach

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> normals: array<vec4f>; // n̄ [m²]
@group(0) @binding(4) var<storage, read> direction: array<vec4f>; // first directions, then second
@group(0) @binding(5) var<storage, read> velocities: array<vec4f>; // v [m/s]
@group(0) @binding(6) var<storage, read> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read> sums: array<f32>; // of the last round
@group(0) @binding(8) var<storage, read_write> sumsNext: array<f32>; // of this round

@group(0) @binding(9) var<uniform> turn: u32; // number of the round

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  addRows(body, lane);
  let gains = gainsOf();
  var stretch = vec2f(wgSums[16], wgSums[17]);
  // Round 0 finds the flux as it is; round 1 opens the stretch; the others halve it sixteen times.
  if (turn == 1u && gains.total > 0.0) { stretch = vec2f(0.0, -32.0 * wgSums[0] / gains.total); }
  if (turn > 1u) { stretch = enclosing(stretch.x, stretch.y, turn == 2u).xy; }
  let carried = sumVector(18u);
  workgroupBarrier();
  let i = CHUNK * group.x + lane;
  let n = normals[i].xyz;
  let d = direction[i].xyz + gains.second * direction[CHUNK * step.chunkCount + i].xyz;
  let v = velocities[i].xyz;
  let touch = contacts[4u * i + 1u].w > 0.0;
  let contact = contacts[4u * i];
  let surface = contacts[4u * i + 1u].xyz;
  for (var k = 0u; k < 16u; k++) {
    var sample = 0.0;
    if (turn > 0u) { sample = sampleAt(k, stretch.x, stretch.y, turn == 1u); }
    var passed = v + sample * d;
    if (touch) { passed = stopApproach(passed, contact.xyz, contact.w, surface); }
    putTerm(lane, k, dot(passed, n));
  }
  let first = i == body.first;
  putTerm(lane, 16u, select(0.0, stretch.x, first));
  putTerm(lane, 17u, select(0.0, stretch.y, first));
  putVector(lane, 18u, select(vec3f(0.0), carried, first));
  addTerms(lane, 21u);
  if (lane < SUM_STRIDE) { sumsNext[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
