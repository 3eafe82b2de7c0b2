// Skins, 5 of 5: bound vertices go along, p = q + M·r with M = (1 − f)·Σ w·G + f·Ḡ; normals by the cofactors of M, tangents by M itself.
// See src/embedding/follow.ts.
// uses: chunk, terms, chunk-sums, body-sums

@group(0) @binding(0) var<uniform> skin: Skin;
@group(0) @binding(1) var<storage, read> bound: array<Bound>;
@group(0) @binding(2) var<storage, read> cage: array<vec4f>; // [m] from the body's origin
@group(0) @binding(3) var<storage, read> gradients: array<vec4f>; // three rows of G per vertex
@group(0) @binding(4) var<storage, read> sums: array<f32>; // G of each chunk
@group(0) @binding(5) var<storage, read> frames: array<Frame>; // origins of bodies [m]
@group(0) @binding(6) var<storage, read_write> shownPositions: array<f32>; // [m]
@group(0) @binding(7) var<storage, read_write> shownNormals: array<f32>;
@group(0) @binding(8) var<storage, read_write> shownTangents: array<f32>; // four each, where there are any

/** Squared length of a direction below which it is rounding; gradients have no unit and are near 1. */
const NO_DIRECTION = 1e-12;

fn directionOr(v: vec3f, rest: vec3f) -> vec3f {
  let square = dot(v, v);
  return select(rest, v * inverseSqrt(square), square > NO_DIRECTION && square < 3e38);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  addRowsOf(0u, skin.chunkCount, lane);
  let i = CHUNK * group.x + lane;
  if (i >= skin.visibleCount) { return; }
  let own = bound[i];
  let w = own.weights;
  var q = vec3f(0.0);
  var m = mat3x3f(sumVector(0u), sumVector(3u), sumVector(6u)) * (w.w / f32(skin.count));
  for (var k = 0; k < 3; k++) {
    let corner = own.corners[k];
    q += w[k] * cage[corner].xyz;
    let share = (1.0 - w.w) * w[k];
    for (var c = 0u; c < 3u; c++) { m[c] += share * gradients[3u * corner + c].xyz; }
  }
  // The columns of `m` are rows of M: v·m is M·v.
  let p = q + own.offset.xyz * m + skin.fromFrame * frames[skin.body].origin.xyz;
  let cofactors = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
  let n = directionOr(own.normal.xyz * cofactors, own.normal.xyz);
  for (var c = 0u; c < 3u; c++) {
    shownPositions[3u * i + c] = p[c];
    shownNormals[3u * i + c] = n[c];
  }
  if (own.tangent.w == 0.0) { return; }
  let along = own.tangent.xyz * m;
  let t = vec4f(directionOr(along - dot(along, n) * n, own.tangent.xyz), own.tangent.w);
  for (var c = 0u; c < 4u; c++) { shownTangents[4u * i + c] = t[c]; }
}
