// Skins, 2 of 2 where the simulation mesh itself is shown: positions in the world and unit normals, three numbers each, as renderers take
// them.
// uses: cage-normal

@group(0) @binding(0) var<uniform> skin: Skin;
@group(0) @binding(1) var<storage, read> links: array<u32>; // places, rings
@group(0) @binding(2) var<storage, read> cage: array<vec4f>; // [m] from the body's origin
@group(0) @binding(3) var<storage, read> factors: array<vec4f>; // unit normals at rest last
@group(0) @binding(4) var<storage, read> frames: array<Frame>; // origins of bodies [m]
@group(0) @binding(5) var<storage, read_write> shownPositions: array<f32>; // [m]
@group(0) @binding(6) var<storage, read_write> shownNormals: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= skin.count) { return; }
  let x = cage[i].xyz + skin.fromFrame * frames[skin.body].origin.xyz;
  let n = unitOr(cageNormal(i), factors[skin.restNormals + i].xyz);
  for (var c = 0u; c < 3u; c++) {
    shownPositions[3u * i + c] = x[c];
    shownNormals[3u * i + c] = n[c];
  }
}
