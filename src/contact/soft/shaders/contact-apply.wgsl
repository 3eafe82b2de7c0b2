// Contact of bodies: particles take over what a sweep gave them.
// uses: chunk

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read_write> deltas: array<i32>; // 8 per particle, see contact-solve
@group(0) @binding(2) var<storage, read_write> positions: array<vec4f>; // x [m]
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4f>; // v [m/s]

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  let i = id.x;
  let at = 8u * i;
  let v = vec3f(vec3i(deltas[at], deltas[at + 1u], deltas[at + 2u])) * (step.quantum / step.timeStep);
  let x = vec3f(vec3i(deltas[at + 3u], deltas[at + 4u], deltas[at + 5u])) * step.quantum;
  deltas[at + 6u] = 0;
  if (!(any(v != vec3f(0.0)) || any(x != vec3f(0.0)))) { return; }
  for (var k = 0u; k < 6u; k++) { deltas[at + k] = 0; }
  positions[i] = vec4f(positions[i].xyz + x, positions[i].w);
  velocities[i] = vec4f(velocities[i].xyz + v, velocities[i].w);
}
