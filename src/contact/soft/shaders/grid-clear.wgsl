// Contact of bodies, begins: the table of cells is empty, and nobody has been pushed.
// uses: chunk

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read_write> grid: array<u32>; // first particle of each cell from 1, then the next one of each particle
@group(0) @binding(2) var<storage, read_write> deltas: array<i32>; // 8 per particle, see contact-solve

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (step.touching == 0u) { return; }
  let slots = CHUNK * step.chunkCount;
  for (var cell = id.x; cell < step.cellCount; cell += slots) { grid[cell] = 0u; }
  for (var k = 0u; k < 8u; k++) { deltas[8u * id.x + k] = 0; }
}
