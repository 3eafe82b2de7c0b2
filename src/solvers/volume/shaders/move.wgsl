// A round of the position correction, 5 of 5: solves for λ. Particles that x + λ·d would carry into an obstacle or too near to another body go as far as they fit and
// stay there; with the others the next round solves again, or applies λ where none was stopped.
// uses: chunk, terms, chunk-sums, body-sums, cubic-root, collider, sweep, mesh-obstacle

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> starts: array<vec4f>; // xⁿ [m]
@group(0) @binding(4) var<storage, read> obstacles: array<vec4u>;
@group(0) @binding(5) var<storage, read> sums: array<f32>; // of the cubic
@group(0) @binding(6) var<storage, read_write> moved: array<vec4f>; // corrected x [m]; w = weight
@group(0) @binding(7) var<storage, read_write> direction: array<vec4f>; // d [m²]; behind those of all the gaps to other bodies
@group(0) @binding(8) var<storage, read_write> moveSums: array<f32>; // particles stopped, λ, 1 where V₀ is reached

/** How deep the correction may carry a particle into an obstacle, in body sizes. */
const CONTACT_TOLERANCE = 2e-6;
/** Relative volume error at which a correction has reached its goal. */
const REACHED = 2e-6;

/** Share of a way from `x` that a particle may go which is to stay within `reach` of its start; what began beyond comes as near as it can. */
fn shareWithin(reach: f32, x: vec3f, way: vec3f) -> f32 {
  let along = dot(x, way);
  let way2 = dot(way, way);
  let root = sqrt(max(0.0, along * along + way2 * (reach * reach - dot(x, x))));
  return clamp((root - along) / way2, 0.0, 1.0);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  if ((body.flags & ASLEEP) != 0u || sums[SUM_STRIDE * body.firstChunk + 4u] == 0.0) { return; }
  addRows(body, lane);
  let c = vec4f(wgSums[0], wgSums[1], wgSums[2], wgSums[3]);
  let longest = sqrt(wgSums[SUM_MAX]);
  var lambda = 0.0;
  if (longest > 0.0) { lambda = cubicRoot(c, body.sixVolume, wgSums[4] / longest); }
  let left = c.x + lambda * (c.y + lambda * (c.z + lambda * c.w)) - body.sixVolume;
  let i = CHUNK * group.x + lane;
  let d = direction[i].xyz;
  var stopped = 0.0;
  let reach = wgSums[6];
  let origin = sumVector(7u);
  let own = moved[i];
  if (i < body.first + body.count && dot(d, d) > 0.0) {
    let candidate = own.xyz + lambda * d;
    let tolerance = CONTACT_TOLERANCE * body.size;
    var fits = 1.0;
    for (var n = 0u; n < step.colliderCount; n++) {
      let collider = loadCollider(n, origin);
      if ((body.group & collider.collidesWith) == 0u || (collider.group & body.collidesWith) == 0u) { continue; }
      let swept = sweepObstacle(collider, toLocal(collider, own.xyz), toLocal(collider, candidate));
      var hit = swept.hit;
      if (!swept.found) { hit = measureObstacle(collider, candidate); }
      if (!(hit.distance < -tolerance)) { continue; }
      stopped = 1.0;
      let before = measureObstacle(collider, own.xyz).distance;
      fits = min(fits, select(0.0, before / (before - hit.distance), before > 0.0));
    }
    // How far it may go towards another body, which in the last attempt gives way.
    let near = direction[CHUNK * step.chunkCount + i];
    let approach = -lambda * dot(near.xyz, d);
    if (step.touching != 0u && wgSums[5] == 0.0 && approach > near.w + tolerance) {
      stopped = 1.0;
      fits = min(fits, near.w / approach);
    }
    // How far from where it started obstacles that press the body explain.
    let way = lambda * d;
    let gone = own.xyz - starts[i].xyz;
    if (reach > 0.0 && dot(gone + way, gone + way) > reach * reach && dot(way, way) > 0.0) {
      stopped = 1.0;
      fits = min(fits, shareWithin(reach, gone, way));
    }
    if (stopped > 0.0) {
      moved[i] = vec4f(own.xyz + fits * lambda * d, 0.0);
      direction[i] = vec4f(vec3f(0.0), direction[i].w);
    }
  }
  workgroupBarrier();
  putTerm(lane, 0u, stopped);
  putTerm(lane, 1u, select(0.0, lambda, i == body.first));
  putTerm(lane, 2u, select(0.0, 1.0, i == body.first && abs(left) <= 6.0 * REACHED * body.volume));
  addTerms(lane, 3u);
  if (lane < SUM_STRIDE) { moveSums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
