// The sums of a body from the rows of its chunks. Needs: sums; chunk-sums.

fn addRows(body: Body, lane: u32) {
  addRowsOf(body.firstChunk, body.chunkCount, lane);
}

/** The sums of so many rows from one on. */
fn addRowsOf(first: u32, count: u32, lane: u32) {
  let component = lane / 4u;
  var sum = 0.0;
  if (component < SUM_STRIDE) {
    for (var k = lane % 4u; k < count; k += 4u) {
      let term = sums[SUM_STRIDE * (first + k) + component];
      sum = select(sum + term, max(sum, term), component == SUM_MAX);
    }
  }
  joinQuarters(lane, sum);
}
