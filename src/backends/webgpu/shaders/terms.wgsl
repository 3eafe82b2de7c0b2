// Terms of the particles of a chunk in workgroup memory, component by component: what sums and prefix sums are made of.

var<workgroup> wgTerms: array<f32, 3072>;
var<workgroup> wgParts: array<f32, 128>;

fn putTerm(lane: u32, n: u32, value: f32) {
  wgTerms[n * CHUNK + lane] = value;
}

fn putVector(lane: u32, n: u32, value: vec3f) {
  putTerm(lane, n, value.x);
  putTerm(lane, n + 1u, value.y);
  putTerm(lane, n + 2u, value.z);
}

fn putRow(lane: u32, n: u32, value: vec4f) {
  putVector(lane, n, value.xyz);
  putTerm(lane, n + 3u, value.w);
}

/** Second moments m·xxᵀ: xx, xy, xz, yy, yz, zz. */
fn putMoments(lane: u32, n: u32, m: f32, x: vec3f) {
  putVector(lane, n, m * x.x * x);
  putTerm(lane, n + 3u, m * x.y * x.y);
  putTerm(lane, n + 4u, m * x.y * x.z);
  putTerm(lane, n + 5u, m * x.z * x.z);
}
