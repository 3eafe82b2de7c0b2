// The deformer's iteration, 2 of 4: each vertex of the helper mesh takes the weighted mean of the ways out of the surface's vertices that
// it carries. [CDD11 §3.3]
// uses: columns

@group(0) @binding(0) var<uniform> iterate: Iterate;
@group(0) @binding(1) var<storage, read> helper: array<vec4f>; // x [half sizes]
@group(0) @binding(2) var<storage, read> pushes: array<vec4f>; // ways out [half sizes]; w = 1 where there is one
@group(0) @binding(3) var<storage, read> columns: array<u32>; // of the surface's vertices at each vertex
@group(0) @binding(4) var<storage, read> entries: array<vec2u>; // vertex of the surface, weight as bits
@group(0) @binding(5) var<storage, read_write> moved: array<vec4f>; // x after contact [half sizes]
@group(0) @binding(6) var<storage, read_write> changes: array<u32>;
@group(0) @binding(7) var<uniform> turn: u32;

/** Less weight than this is none. */
const NO_WEIGHT = 1e-12;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let t = id.x;
  let change = bitcast<f32>(changes[1u + turn]);
  if (t == 0u && change > 0.0) { changes[3] = changes[1u + turn]; }
  if (t >= iterate.helperCount || !(change > iterate.tolerance)) { return; }
  let i = vertexOf(t);
  var sum = vec3f(0.0);
  var total = 0.0;
  for (var k = 0u; hasEntry(t, k); k++) {
    let entry = entries[entryOf(t, k)];
    let push = pushes[entry.x];
    let weight = push.w * bitcast<f32>(entry.y);
    sum += weight * push.xyz;
    total += weight;
  }
  let x = helper[i].xyz;
  moved[i] = vec4f(select(x, x + sum / total, total > NO_WEIGHT), 0.0);
}
