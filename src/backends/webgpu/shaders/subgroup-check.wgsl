// Sums and prefix sums of whole numbers, which are exact: whether a device's subgroups are what the shaders take them for.
// uses: chunk, terms, chunk-sums, prefix-rows

@group(0) @binding(0) var<storage, read_write> results: array<f32>; // prefix sums of 16 components, then sums of 24

/** Different for each lane and component, small enough that no sum is rounded. */
fn sample(lane: u32, n: u32) -> f32 {
  return f32((lane * (2u * n + 3u)) % 61u);
}

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) lane: u32) {
  for (var n = 0u; n < 16u; n++) { putTerm(lane, n, sample(lane, n)); }
  scanTerms(lane);
  for (var n = 0u; n < 16u; n++) { results[n * CHUNK + lane] = wgTerms[n * CHUNK + lane]; }
  workgroupBarrier();
  for (var n = 0u; n < SUM_STRIDE; n++) { putTerm(lane, n, sample(lane, n)); }
  addTerms(lane, SUM_MAX);
  if (lane < SUM_STRIDE) { results[16u * CHUNK + lane] = wgSums[lane]; }
  let parts = f32(lane);
  joinQuarters(lane, parts);
  if (lane < SUM_STRIDE) { results[16u * CHUNK + SUM_STRIDE + lane] = wgSums[lane]; }
}
