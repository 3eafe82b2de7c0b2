// Where the flux Σ v·n̄ of v + μ·d has its root. Obstacles and friction make it a bent function of μ, so each round samples it at 16
// places between two that enclose the root. In the sums: the flux at these (0…15), the ends of the stretch (16, 17), the gains (18…20).
// Needs: chunk-sums.

/** Share of the velocity correction's effect that free particles must have. */
const FREE_GAIN = 0.5;

struct Gains { total: f32, second: f32 }

/** Gain of the whole direction, and the share of the second direction in it. */
fn gainsOf() -> Gains {
  let gain = wgSums[18];
  let missing = FREE_GAIN * gain - wgSums[19];
  let free = wgSums[20];
  if (!(gain > 0.0)) { return Gains(0.0, 0.0); }
  if (!(missing > 0.0 && free > 0.0)) { return Gains(gain, 0.0); }
  return Gains(gain + missing, missing / free);
}

/** The place of sample n of a stretch: even, or for the first one (low = 0, high = 32 free roots) closer near the free root. */
fn sampleAt(n: u32, low: f32, high: f32, opening: bool) -> f32 {
  if (!opening) { return mix(low, high, f32(n) / 15.0); }
  var shares = array<f32, 16>(0.0, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0);
  return shares[n] * high / 32.0;
}

/** The two samples between which the flux changes its sign, or twice the one that is nearest to 0. */
fn enclosing(low: f32, high: f32, opening: bool) -> vec4f {
  var best = 0u;
  for (var n = 0u; n < 15u; n++) {
    if (wgSums[n] * wgSums[n + 1u] <= 0.0) {
      return vec4f(sampleAt(n, low, high, opening), sampleAt(n + 1u, low, high, opening), wgSums[n], wgSums[n + 1u]);
    }
    if (abs(wgSums[n + 1u]) < abs(wgSums[best])) { best = n + 1u; }
  }
  let at = sampleAt(best, low, high, opening);
  return vec4f(at, at, wgSums[best], wgSums[best]);
}
