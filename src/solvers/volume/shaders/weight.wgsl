// The weight of a particle from its share: wᵢ = (1 − α)·gᵢ + α/n, g capped at 4/n; see src/solvers/volume/weights.ts.

/** A particle's local share is at most this multiple of the mean share. */
const SHARE_CAP = 4.0;
/** Share of the neighbours' mean in a pass of the umbrella filter. */
const SMOOTHING = 0.75;

/** `own` is share, marks and factor. */
fn weightOf(body: Body, own: vec4f, total: f32) -> f32 {
  let uniformShare = 1.0 / f32(body.count);
  var local = uniformShare;
  if (total > 0.0) { local = min(SHARE_CAP * uniformShare, own.x / total); }
  return own.z * ((1.0 - body.globalShare) * local + body.globalShare * uniformShare);
}
