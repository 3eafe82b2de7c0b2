// The sums of chunk-sums where the device has subgroups: a component belongs to a subgroup, whose lanes read side by side and add without
// workgroup memory. A subgroup is a run of 4 to 128 lanes, which subgroup-check has asked the device.

var<workgroup> wgSums: array<f32, 24>;

/** Adds the terms of all lanes; the result is in `wgSums` of every lane. */
fn addTerms(lane: u32, used: u32) {
  workgroupBarrier();
  let size = subgroupAdd(1u);
  let own = lane % size;
  for (var component = lane / size; component < SUM_STRIDE; component += CHUNK / size) {
    var sum = 0.0;
    if (component < used || component == SUM_MAX) {
      for (var k = own; k < CHUNK; k += size) {
        let term = wgTerms[component * CHUNK + k];
        sum = select(sum + term, max(sum, term), component == SUM_MAX);
      }
    }
    if (component == SUM_MAX) { sum = subgroupMax(sum); } else { sum = subgroupAdd(sum); }
    if (own == 0u) { wgSums[component] = sum; }
  }
  workgroupBarrier();
}

/** Four parts of each component, of lanes side by side, make one. */
fn joinQuarters(lane: u32, part: f32) {
  workgroupBarrier();
  let isMax = lane / 4u == SUM_MAX;
  let next = subgroupShuffleXor(part, 1u);
  let pair = select(part + next, max(part, next), isMax);
  let second = subgroupShuffleXor(pair, 2u);
  if (lane % 4u == 0u && lane / 4u < SUM_STRIDE) { wgSums[lane / 4u] = select(pair + second, max(pair, second), isMax); }
  workgroupBarrier();
}

fn sumVector(n: u32) -> vec3f {
  return vec3f(wgSums[n], wgSums[n + 1u], wgSums[n + 2u]);
}
