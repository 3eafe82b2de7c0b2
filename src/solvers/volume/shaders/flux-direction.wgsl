// Both directions of the velocity correction, and their gains Σ d·n̄: of the first, of it without what touches something, of the second.
// uses: chunk, terms, chunk-sums, body-sums, rigid-part

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> moved: array<vec4f>; // both weights, marks, number of the body
@group(0) @binding(3) var<storage, read> normals: array<vec4f>; // n̄ [m²]
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> sums: array<f32>; // of both directions
@group(0) @binding(6) var<storage, read> progress: array<Progress>; // support by obstacles
@group(0) @binding(7) var<storage, read_write> direction: array<vec4f>; // first directions, then second
@group(0) @binding(8) var<storage, read_write> fluxSums: array<f32>; // gains at 18…20

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let number = u32(moved[CHUNK * group.x].w);
  var body = bodies[number];
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  let i = CHUNK * group.x + lane;
  let own = moved[i];
  let x = positions[i].xyz;
  let normal = normals[i].xyz;
  let area = length(normal);
  let out = select(vec3f(0.0), normal / area, area > 1e-6 * body.meanArea);
  addRows(body, lane);
  let first = directionAt(rigidPart(body, vec3f(0.0)), own.x, out, x);
  workgroupBarrier();
  body.firstChunk += step.chunkCount;
  addRows(body, lane);
  let second = directionAt(rigidPart(body, progress[number].support.xyz), own.y, out, x);
  workgroupBarrier();
  direction[i] = vec4f(first, 0.0);
  direction[CHUNK * step.chunkCount + i] = vec4f(second, 0.0);
  let gain = dot(first, normal);
  for (var n = 0u; n < 18u; n++) { putTerm(lane, n, 0.0); }
  putVector(lane, 18u, vec3f(gain, select(gain, 0.0, own.z > 0.0), dot(second, normal)));
  addTerms(lane, 21u);
  if (lane < SUM_STRIDE) { fluxSums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
