// Contact of bodies: each particle goes to its cell, as the first of a list. The order of a list is chance; nothing that is read from
// it depends on it.
// uses: chunk, cells

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> frames: array<Frame>; // origins of the bodies
@group(0) @binding(4) var<storage, read> starts: array<vec4f>; // xⁿ [m]
@group(0) @binding(5) var<storage, read_write> grid: array<atomic<u32>>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (step.touching == 0u) { return; }
  let number = topology[group.x];
  let body = bodies[number];
  let i = CHUNK * group.x + lane;
  if (i >= body.first + body.count) { return; }
  let x = starts[i].xyz + (frames[number].origin.xyz - frames[0].origin.xyz);
  let before = atomicExchange(&grid[tableAt(cellOf(x))], i + 1u);
  atomicStore(&grid[step.cellCount + i], before);
}
