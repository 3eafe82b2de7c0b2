// Stage match, 2 of 4: region transforms Tᵢ = [Rᵢ | tᵢ − Rᵢ t⁰ᵢ] from the sums, with the extra point against flat regions, and their
// prefix sums. [DBB11 eq. 4]
// uses: chunk, terms, prefix-rows, region-sums, ring-normal, rotation

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, intervals, rings
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> starts: array<vec4f>; // xⁿ [m]: the body's first is what sums are relative to
@group(0) @binding(6) var<storage, read> prefix: array<vec4f>; // of the moments
@group(0) @binding(7) var<storage, read_write> quaternions: array<vec4f>; // of the regions: previous, then nearest
@group(0) @binding(8) var<storage, read_write> prefixNext: array<vec4f>; // of the transforms

/** A vertex normal shorter than this share of its rest area has no direction left (collapsed triangles). */
const LOST_NORMAL = 1e-6;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u) { return; }
  let i = CHUNK * group.x + lane;
  var rows = array<vec4f, 3>();
  if (i < body.first + body.count) {
    let own = rest[i];
    let sums = sumRegion(i);
    let total = vec3f(sums.a.w, sums.b.w, sums.c.w);
    let t = total / own.centre.w;
    let t0 = own.centre.xyz;
    var normal = ringNormal(i);
    let reach = length(normal);
    let previous = quaternions[i];
    if (reach > LOST_NORMAL * own.areas.x) { normal = normal / reach; } else { normal = own.normal.xyz * rotationRows(previous); }
    let l = own.normal.w;
    let p = own.position.w * (positions[i].xyz - starts[body.first].xyz + l * normal - t);
    let p0 = own.position.xyz + l * own.normal.xyz - t0;
    let a = mat3x3f(
      sums.a.xyz - total.x * t0 + p.x * p0,
      sums.b.xyz - total.y * t0 + p.y * p0,
      sums.c.xyz - total.z * t0 + p.z * p0,
    );
    let q = nearestRotation(a, own.areas.y, previous);
    quaternions[i] = q;
    let r = rotationRows(q);
    for (var k = 0; k < 3; k++) {
      let row = body.restScale * r[k];
      rows[k] = own.painted.x * vec4f(row, t[k] - dot(row, t0));
    }
  }
  putRow(lane, 0u, rows[0]);
  putRow(lane, 4u, rows[1]);
  putRow(lane, 8u, rows[2]);
  putRow(lane, 12u, vec4f(0.0));
  scanTerms(lane);
  let at = 4u * (CHUNK_ROWS * group.x + lane + 1u);
  for (var k = 0u; k < 3u; k++) {
    prefixNext[at + k] = takeRow(lane, 4u * k);
    if (lane == 0u) { prefixNext[at - 4u + k] = vec4f(0.0); }
  }
}
