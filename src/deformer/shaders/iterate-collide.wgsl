// The deformer's iteration, 1 of 4: the surface that the helper mesh carries, P = M + W (x − X), how far that is from where it was an
// iteration ago, and each vertex's way out of the colliders to nearest points, one after the other. [CDD11 §3.3]
// uses: chunk, collider, sweep, mesh-obstacle

@group(0) @binding(0) var<uniform> iterate: Iterate;
@group(0) @binding(1) var<storage, read> helper: array<vec4f>; // x [half sizes]
@group(0) @binding(2) var<storage, read> carriers: array<Carrier>; // per vertex of the surface
@group(0) @binding(3) var<storage, read> collides: array<u32>; // margins [m] as bits; then words per vertex, a bit per collider
@group(0) @binding(4) var<storage, read> obstacles: array<vec4u>; // in the body's frame [m]
@group(0) @binding(5) var<storage, read_write> carried: array<vec4f>; // P [half sizes]
@group(0) @binding(6) var<storage, read_write> pushes: array<vec4f>; // way out [half sizes]; w = 1 where there is one
@group(0) @binding(7) var<storage, read_write> changes: array<atomic<u32>>; // see Changes of the host
@group(0) @binding(8) var<uniform> turn: u32; // 0, 1, 0, 1, …

var<workgroup> wgChange: atomic<u32>;

/** A mesh is asked outside of its box as well, up to its margin; other shapes have formulas. */
fn measureCollider(collider: Collider, x: vec3f, margin: f32) -> Hit {
  if (collider.kind != MESH) { return measureObstacle(collider, x); }
  let p = toLocal(collider, x);
  let thickness = collider.numbers.y;
  if (sqrt(squareToBox(collider.solid, p)) > thickness + margin) { return Hit(FAR, vec3f(0.0, 1.0, 0.0)); }
  let near = findNearest(collider, p);
  let distance = sqrt(near.square);
  let side = select(1.0, -1.0, collider.numbers.x > 0.0 && near.height < 0.0);
  let normal = select(near.normal, side * near.vector / distance, distance > collider.numbers.z);
  return Hit(side * distance - thickness, toWorldNormal(collider, normal));
}

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let v = id.x;
  if (v < iterate.surfaceCount) {
    let carrier = carriers[v];
    var x = carrier.base.xyz;
    for (var k = 0; k < 4; k++) { x += carrier.weights[k] * helper[carrier.corners[k]].xyz; }
    let apart = abs(x - carried[v].xyz);
    atomicMax(&wgChange, bitcast<u32>(max(apart.x, max(apart.y, apart.z))));
    carried[v] = vec4f(x, 0.0);
    var push = vec3f(0.0);
    var pushed = 0.0;
    let words = (iterate.colliderCount + 31u) / 32u;
    for (var n = 0u; n < iterate.colliderCount; n++) {
      let mask = collides[iterate.colliderCount + words * v + n / 32u];
      if ((mask & (1u << (n % 32u))) == 0u) { continue; }
      let margin = bitcast<f32>(collides[n]);
      let hit = measureCollider(loadCollider(n, vec3f(0.0)), iterate.scale * (x + push), margin);
      let distance = (hit.distance - margin) / iterate.scale;
      if (!(distance < 0.0)) { continue; }
      pushed = 1.0;
      push -= distance * hit.normal;
    }
    pushes[v] = vec4f(push, pushed);
  }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&changes[1u + turn], atomicLoad(&wgChange)); }
}
