// The deformer's iteration, 4 of 4: each vertex goes towards the mean of where its edges would have their lengths, and no farther from
// where it began the iteration than it may. [CDD11 eq. 4, §3.1]
// uses: columns

@group(0) @binding(0) var<uniform> iterate: Iterate;
@group(0) @binding(1) var<storage, read> restored: array<vec4f>; // x with the volumes restored [half sizes]
@group(0) @binding(2) var<storage, read> columns: array<u32>; // of the edges at each vertex
@group(0) @binding(3) var<storage, read> entries: array<vec2u>; // the other end, length before contact as bits [half sizes]
@group(0) @binding(4) var<storage, read_write> helper: array<vec4f>; // x: where the iteration began, then where it ends [half sizes]
@group(0) @binding(5) var<storage, read_write> changes: array<u32>;
@group(0) @binding(6) var<uniform> turn: u32;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let t = id.x;
  let goesOn = bitcast<f32>(changes[1u + turn]) > iterate.tolerance;
  if (t == 0u) {
    changes[2u - turn] = 0u;
    if (goesOn) { changes[0] += 1u; }
  }
  if (t >= iterate.helperCount || !goesOn) { return; }
  let i = vertexOf(t);
  let x = restored[i].xyz;
  var sum = vec3f(0.0);
  var valence = 0u;
  for (; hasEntry(t, valence); valence++) {
    let entry = entries[entryOf(t, valence)];
    let d = x - restored[entry.x].xyz;
    let size = length(d);
    sum += select(0.0, bitcast<f32>(entry.y) / size - 1.0, size > 0.0) * d;
  }
  let begun = helper[i].xyz;
  let way = x + (iterate.stiffness / f32(max(1u, valence))) * sum - begun;
  let size = length(way);
  helper[i] = vec4f(begun + select(1.0, iterate.longest / size, size > iterate.longest) * way, 0.0);
}
