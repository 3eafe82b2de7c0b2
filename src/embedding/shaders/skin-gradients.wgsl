// Skins, 2 of 5: how the surface at each vertex is turned and stretched against its rest state, G = Σ e⊗u + n⊗m; see vertex-frames.
// uses: cage-normal

@group(0) @binding(0) var<uniform> skin: Skin;
@group(0) @binding(1) var<storage, read> links: array<u32>; // places, rings
@group(0) @binding(2) var<storage, read> cage: array<vec4f>; // [m]
@group(0) @binding(3) var<storage, read> factors: array<vec4f>; // m of vertices, u of neighbours [1/m], unit normals at rest
@group(0) @binding(4) var<storage, read_write> gradientsNext: array<vec4f>; // three rows of G per vertex

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= skin.count) { return; }
  let n = unitOr(cageNormal(i), factors[skin.restNormals + i].xyz);
  let m = factors[i];
  var rows = array<vec4f, 3>(n.x * m, n.y * m, n.z * m);
  for (var k = links[skin.offsets + i]; k < links[skin.offsets + i + 1u]; k++) {
    let e = cage[links[skin.neighbours + k]].xyz - cage[i].xyz;
    let u = factors[skin.count + k];
    for (var c = 0; c < 3; c++) { rows[c] += e[c] * u; }
  }
  for (var c = 0u; c < 3u; c++) { gradientsNext[3u * i + c] = rows[c]; }
}
