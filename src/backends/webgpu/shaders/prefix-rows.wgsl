// Prefix sums of up to 16 numbers per particle over a chunk: 16 components × 8 runs of 16 particles, one lane each. Sums start anew
// with each chunk, and the intervals of regions are cut there: one pass, and in single precision no long sums to cancel.

/** The terms of all lanes become their inclusive prefix sums. */
fn scanTerms(lane: u32) {
  workgroupBarrier();
  let run = lane % 8u;
  let begin = (lane / 8u) * CHUNK + 16u * run;
  var sum = 0.0;
  for (var k = begin; k < begin + 16u; k++) {
    sum += wgTerms[k];
    wgTerms[k] = sum;
  }
  wgParts[lane] = sum;
  workgroupBarrier();
  var before = 0.0;
  for (var k = lane - run; k < lane; k++) { before += wgParts[k]; }
  for (var k = begin; k < begin + 16u; k++) { wgTerms[k] += before; }
  workgroupBarrier();
}

fn takeRow(lane: u32, n: u32) -> vec4f {
  let k = n * CHUNK + lane;
  return vec4f(wgTerms[k], wgTerms[k + CHUNK], wgTerms[k + 2u * CHUNK], wgTerms[k + 3u * CHUNK]);
}
