// Sums over bodies without a pass of their own: each chunk writes a row of partial sums, and whoever needs the body's adds its rows.
// The order is fixed, so the same device gives the same bits.

var<workgroup> wgSums: array<f32, 24>;

/** Adds the terms of all lanes; the result is in `wgSums` of every lane. */
fn addTerms(lane: u32, used: u32) {
  workgroupBarrier();
  let component = lane / 4u;
  var sum = 0.0;
  if (component < used || component == SUM_MAX) {
    let begin = component * CHUNK + 32u * (lane % 4u);
    for (var k = begin; k < begin + 32u; k++) {
      sum = select(sum + wgTerms[k], max(sum, wgTerms[k]), component == SUM_MAX);
    }
  }
  joinQuarters(lane, sum);
}

/** Four parts of each component make one. */
fn joinQuarters(lane: u32, part: f32) {
  wgParts[lane] = part;
  workgroupBarrier();
  if (lane < SUM_STRIDE) {
    let k = 4u * lane;
    let first = vec2f(wgParts[k], wgParts[k + 1u]);
    let second = vec2f(wgParts[k + 2u], wgParts[k + 3u]);
    wgSums[lane] = select((first.x + first.y) + (second.x + second.y), max(max(first.x, first.y), max(second.x, second.y)), lane == SUM_MAX);
  }
  workgroupBarrier();
}

fn sumVector(n: u32) -> vec3f {
  return vec3f(wgSums[n], wgSums[n + 1u], wgSums[n + 2u]);
}
