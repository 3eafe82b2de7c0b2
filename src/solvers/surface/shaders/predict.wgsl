// Stage predict: v ← v + Δt·g + what the host added, x = xⁿ + Δt·v; pinned particles go to their targets.
// Positions are relative to the body's origin; one that has gone far gets another here, on a grid on which the shift is exact.
// uses: chunk

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origin of each body, and how far it is to be shifted
@group(0) @binding(4) var<storage, read> pushes: array<vec4f>; // [m/s] added by the host
@group(0) @binding(5) var<storage, read> pins: array<vec4f>; // target [m] from the body's anchor; w = 1 where pinned
@group(0) @binding(6) var<storage, read_write> positions: array<vec4f>; // x [m]; w = ‖c‖, later negative where pinned
@group(0) @binding(7) var<storage, read_write> starts: array<vec4f>; // xⁿ [m]; w = 1 where pinned
@group(0) @binding(8) var<storage, read_write> velocities: array<vec4f>; // v [m/s]; w = factor on friction

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[topology[group.x]];
  let i = CHUNK * group.x + lane;
  if ((body.flags & ASLEEP) != 0u || i >= body.first + body.count) { return; }
  let frame = frames[topology[group.x]];
  let start = positions[i].xyz - frame.shift.xyz;
  var v = velocities[i].xyz + step.timeStep * step.gravity.xyz;
  if ((body.flags & PUSHED) != 0u) { v += pushes[i].xyz; }
  var x = start + step.timeStep * v;
  let pin = pins[i];
  if (pin.w > 0.0) {
    x = pin.xyz + (body.anchor.xyz - (frame.origin.xyz + frame.shift.xyz));
    v = (x - start) / step.timeStep;
  }
  starts[i] = vec4f(start, pin.w);
  positions[i] = vec4f(x, 0.0);
  velocities[i] = vec4f(v, velocities[i].w);
}
