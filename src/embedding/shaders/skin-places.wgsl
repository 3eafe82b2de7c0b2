// Skins, 1: where a body is shown, in its mesh's own order: between the start of its last substep and its end, or beyond.

@group(0) @binding(0) var<uniform> skin: Skin;
@group(0) @binding(1) var<storage, read> links: array<u32>; // place of each vertex first
@group(0) @binding(2) var<storage, read> starts: array<vec4f>; // xⁿ [m] of all bodies' particles
@group(0) @binding(3) var<storage, read> positions: array<vec4f>; // x [m]
@group(0) @binding(4) var<storage, read_write> cage: array<vec4f>; // [m] from the body's origin

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= skin.count) { return; }
  let place = skin.first + links[id.x];
  cage[id.x] = mix(starts[place], positions[place], skin.share);
}
