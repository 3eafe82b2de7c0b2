// Sums over a region: differences of prefix sums at the ends of its intervals. [DBB11 §4 "Fast Summation"]
// Needs: step, topology, prefix.

struct RegionSum { a: vec4f, b: vec4f, c: vec4f, d: vec4f }

fn sumRegion(i: u32) -> RegionSum {
  var sum = RegionSum(vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4f(0.0));
  let offsets = step.intervalOffsets + i;
  for (var n = topology[offsets]; n < topology[offsets + 1u]; n++) {
    let begin = 4u * topology[step.intervals + 2u * n];
    let end = 4u * topology[step.intervals + 2u * n + 1u];
    sum.a += prefix[end] - prefix[begin];
    sum.b += prefix[end + 1u] - prefix[begin + 1u];
    sum.c += prefix[end + 2u] - prefix[begin + 2u];
    sum.d += prefix[end + 3u] - prefix[begin + 3u];
  }
  return sum;
}
