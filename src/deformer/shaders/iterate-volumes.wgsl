// The deformer's iteration, 3 of 4: each vertex goes a share of the way to where the tetrahedra at it would have their volumes, by least
// squares over ∇V·δ = V₀ − V. [CDD11 eq. 2, 3]
// uses: chunk, columns

@group(0) @binding(0) var<uniform> iterate: Iterate;
@group(0) @binding(1) var<storage, read> moved: array<vec4f>; // x after contact [half sizes]
@group(0) @binding(2) var<storage, read> columns: array<u32>; // of the tetrahedra at each vertex
@group(0) @binding(3) var<storage, read> entries: array<vec4u>; // the other corners, b, c, d, and six times the volume at rest as bits
@group(0) @binding(4) var<storage, read_write> restored: array<vec4f>; // x with the volumes restored [half sizes]
@group(0) @binding(5) var<storage, read> changes: array<u32>;
@group(0) @binding(6) var<uniform> turn: u32;

/** Added to the normal equations, over their trace. */
const REGULARISATION = 1e-4;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let t = id.x;
  if (t >= iterate.helperCount || !(bitcast<f32>(changes[1u + turn]) > iterate.tolerance)) { return; }
  let i = vertexOf(t);
  let a = moved[i].xyz;
  var first = vec3f(0.0);
  var second = vec3f(0.0);
  var right = vec3f(0.0);
  for (var k = 0u; hasEntry(t, k); k++) {
    let entry = entries[entryOf(t, k)];
    let d = moved[entry.z].xyz;
    let g = cross(moved[entry.x].xyz - d, moved[entry.y].xyz - d);
    first += g.x * g;
    second += vec3f(g.y * g.y, g.y * g.z, g.z * g.z);
    right += (bitcast<f32>(entry.w) - dot(a - d, g)) * g;
  }
  let floor = REGULARISATION * (first.x + second.x + second.z);
  restored[i] = vec4f(a + iterate.volumeShare * solveSymmetric(first, second, floor, right), 0.0);
}
