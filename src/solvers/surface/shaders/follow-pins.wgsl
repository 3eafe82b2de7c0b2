// Stage match, 4 of 4: goals near pins are moved by what the goals of the pins miss. Every chunk adds up the affine fields of the groups of
// pins that reach it. Mirrors followPins of solvers/pin-reach, on velocities: they tell s·(g − x*).
// uses: chunk, terms, chunk-sums

@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> topology: array<u32>; // body of each chunk first
@group(0) @binding(3) var<storage, read> pinReach: array<vec4u>; // see backends/webgpu/pin-reach-table
@group(0) @binding(4) var<storage, read> starts: array<vec4f>; // xⁿ [m]
@group(0) @binding(5) var<storage, read_write> positions: array<vec4f>; // x* [m]; w becomes ‖c‖ of who is reached
@group(0) @binding(6) var<storage, read_write> velocities: array<vec4f>; // v [m/s]; those of pins are only read

/** s·(g − x*) [m]. */
fn changeOf(i: u32) -> vec3f {
  return step.timeStep * velocities[i].xyz + (starts[i].xyz - positions[i].xyz);
}

fn sumRow(n: u32) -> vec4f {
  return vec4f(sumVector(n), wgSums[n + 3u]);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let flags = bodies[topology[group.x]].flags;
  if ((flags & ASLEEP) != 0u || (flags & ANCHORED) == 0u) { return; }
  let i = CHUNK * group.x + lane;
  let reaching = pinReach[group.x];
  var isReached = false;
  var moved = vec3f(0.0);
  for (var g = reaching.x; g < reaching.y; g++) {
    let pins = pinReach[g];
    var fieldX = vec4f(0.0);
    var fieldY = vec4f(0.0);
    var fieldZ = vec4f(0.0);
    for (var n = pins.x + 2u * lane; n < pins.y; n += 2u * CHUNK) {
      let missed = changeOf(pinReach[n].x);
      let pinRow = bitcast<vec4f>(pinReach[n + 1u]);
      fieldX += missed.x * pinRow;
      fieldY += missed.y * pinRow;
      fieldZ += missed.z * pinRow;
    }
    putRow(lane, 0u, fieldX);
    putRow(lane, 4u, fieldY);
    putRow(lane, 8u, fieldZ);
    addTerms(lane, 12u);
    let reachRow = bitcast<vec4f>(pinReach[pins.z + lane]);
    isReached = isReached || reachRow.x != 0.0;
    moved += vec3f(dot(reachRow, sumRow(0u)), dot(reachRow, sumRow(4u)), dot(reachRow, sumRow(8u)));
  }
  if (!isReached) { return; }
  velocities[i] = vec4f(velocities[i].xyz - moved / step.timeStep, velocities[i].w);
  positions[i].w = length(changeOf(i));
}
