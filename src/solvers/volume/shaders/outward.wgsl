// Stage conserve, begins: which way is out. The push field of the body at rest, turned with the regions, leaning outwards, straightened next
// to contacts; see src/solvers/volume/outward.ts. The corrected positions begin where contact left them.
// uses: chunk, progress, ring-normal

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // chunks, rings
@group(0) @binding(3) var<storage, read> rest: array<ParticleRest>;
@group(0) @binding(4) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(5) var<storage, read> quaternions: array<vec4f>; // of the regions
@group(0) @binding(6) var<storage, read> contacts: array<vec4f>; // 4 per particle, see given
@group(0) @binding(7) var<storage, read_write> outward: array<vec4f>; // [m²]; w = share of the mass
@group(0) @binding(8) var<storage, read_write> moved: array<vec4f>; // corrected x [m]; w = weight

/** Least share of its length that a turned push has along the normal. */
const OUTWARD = 0.1;
const LOST_NORMAL = 1e-6;

fn turnedBy(q: vec4f, p: vec3f) -> vec3f {
  let t = 2.0 * cross(q.xyz, p);
  return p + q.w * t + cross(q.xyz, t);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  let i = CHUNK * group.x + lane;
  if ((body.flags & ASLEEP) != 0u || (body.flags & VOLUME) == 0u) { return; }
  let own = rest[i];
  moved[i] = vec4f(positions[i].xyz, 0.0);
  if (i >= body.first + body.count) {
    outward[i] = vec4f(0.0);
    return;
  }
  let begin = topology[step.ringOffsets + i];
  let end = topology[step.ringOffsets + i + 1u];
  var touching = 0.0;
  for (var n = begin; n < end; n++) {
    if (contacts[4u * topology[step.rings + n] + 1u].w > 0.0) { touching += 1.0; }
  }
  let straight = min(1.0, 2.0 * touching / f32(end - begin));
  let normal = ringNormal(i);
  let area = length(normal);
  let inverse = select(0.0, 1.0 / area, area > LOST_NORMAL * own.areas.x);
  let push = turnedBy(quaternions[i], own.push.xyz);
  let along = inverse * dot(push, normal);
  let kept = select(1.0, 1.0 - straight, inverse > 0.0);
  let added = inverse * (max(along, OUTWARD * length(own.push.xyz)) - kept * along);
  outward[i] = vec4f(kept * push + added * normal, own.areas.w);
}
