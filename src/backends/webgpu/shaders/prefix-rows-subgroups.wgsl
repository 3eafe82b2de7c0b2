// The prefix sums of prefix-rows where the device has subgroups: lanes scan their own terms, and add what the subgroups before them have in
// all. See chunk-sums-subgroups.

/** Of each component the totals of up to 32 subgroups. */
var<workgroup> wgTotals: array<f32, 512>;

/** The terms of all lanes become their inclusive prefix sums. */
fn scanTerms(lane: u32) {
  let size = subgroupAdd(1u);
  let subgroup = lane / size;
  for (var n = 0u; n < 16u; n++) {
    let sum = subgroupInclusiveAdd(wgTerms[n * CHUNK + lane]);
    wgTerms[n * CHUNK + lane] = sum;
    if (lane % size == size - 1u) { wgTotals[32u * n + subgroup] = sum; }
  }
  workgroupBarrier();
  for (var n = 0u; n < 16u; n++) {
    var before = 0.0;
    for (var k = 0u; k < subgroup; k++) { before += wgTotals[32u * n + k]; }
    wgTerms[n * CHUNK + lane] += before;
  }
  workgroupBarrier();
}

fn takeRow(lane: u32, n: u32) -> vec4f {
  let k = n * CHUNK + lane;
  return vec4f(wgTerms[k], wgTerms[k + CHUNK], wgTerms[k + 2u * CHUNK], wgTerms[k + 3u * CHUNK]);
}
