// What the surface and the foundation add to a frame's energy. Kernels for src/deformer/carried-surface.ts and frame-energy.ts; x and y of
// a vertex go together, z by itself.

// @ts-ignore: decorator
@inline function vertexAt(x: usize, corner: usize): usize {
  return x + <usize>load<u32>(corner) * 24;
}

/** out ← surface + W (x − rest): four corners and weights for each of `count` vertices. */
export function carry(count: i32, corners: usize, weights: usize, x: usize, rest: usize, surface: usize, out: usize): void {
  const apart = rest - x;
  for (let v = 0; v < count; v++, corners += 16, weights += 32, surface += 24, out += 24) {
    let xy = f64x2.splat(0);
    let z: f64 = 0;
    for (let k: usize = 0; k < 4; k++) {
      const at = vertexAt(x, corners + (k << 2));
      const weight = weights + (k << 3);
      xy = f64x2.add(xy, f64x2.mul(v128.load64_splat(weight), f64x2.sub(v128.load(at), v128.load(at + apart))));
      z += load<f64>(weight) * (load<f64>(at, 16) - load<f64>(at + apart, 16));
    }
    v128.store(out, f64x2.add(v128.load(surface), xy));
    store<f64>(out, load<f64>(surface, 16) + z, 16);
  }
}

/** gradient ← gradient + Wᵀ forces */
export function giveBack(count: i32, corners: usize, weights: usize, forces: usize, gradient: usize): void {
  for (let v = 0; v < count; v++, corners += 16, weights += 32, forces += 24) {
    const xy = v128.load(forces);
    const z = load<f64>(forces, 16);
    for (let k: usize = 0; k < 4; k++) {
      const at = vertexAt(gradient, corners + (k << 2));
      const weight = weights + (k << 3);
      v128.store(at, f64x2.add(v128.load(at), f64x2.mul(v128.load64_splat(weight), xy)));
      store<f64>(at, load<f64>(at, 16) + load<f64>(weight) * z, 16);
    }
  }
}

/** out ← six times the gradient of the volume; returns six times the volume. */
export function writeVolumeGradient(triangleCount: i32, triangles: usize, vertexCount: i32, p: usize, out: usize): f64 {
  memory.fill(out, 0, <usize>vertexCount * 24);
  const apart = out - p;
  let sixVolume: f64 = 0;
  for (let t = 0; t < triangleCount; t++, triangles += 12) {
    const a = vertexAt(p, triangles);
    const b = vertexAt(p, triangles + 4);
    const c = vertexAt(p, triangles + 8);
    const ax = load<f64>(a);
    const ay = load<f64>(a, 8);
    const az = load<f64>(a, 16);
    const bx = load<f64>(b);
    const by = load<f64>(b, 8);
    const bz = load<f64>(b, 16);
    const cx = load<f64>(c);
    const cy = load<f64>(c, 8);
    const cz = load<f64>(c, 16);
    const nx = by * cz - bz * cy;
    const ny = bz * cx - bx * cz;
    const nz = bx * cy - by * cx;
    sixVolume += ax * nx + ay * ny + az * nz;
    give(a + apart, nx, ny, nz);
    give(b + apart, cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax);
    give(c + apart, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  }
  return sixVolume;
}

// @ts-ignore: decorator
@inline function give(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(at, load<f64>(at) + x);
  store<f64>(at, load<f64>(at, 8) + y, 8);
  store<f64>(at, load<f64>(at, 16) + z, 16);
}

/** gradient ← springs × (x − rest) for `count` vertices; returns the energy. */
export function writeFoundation(count: i32, springs: usize, x: usize, rest: usize, gradient: usize): f64 {
  let xy = f64x2.splat(0);
  let z: f64 = 0;
  for (let i = 0; i < count; i++, springs += 8, x += 24, rest += 24, gradient += 24) {
    const spring = load<f64>(springs);
    const off = f64x2.sub(v128.load(x), v128.load(rest));
    const pull = f64x2.mul(f64x2.splat(spring), off);
    v128.store(gradient, pull);
    xy = f64x2.add(xy, f64x2.mul(pull, off));
    const offZ = load<f64>(x, 16) - load<f64>(rest, 16);
    const pullZ = spring * offZ;
    store<f64>(gradient, pullZ, 16);
    z += pullZ * offZ;
  }
  return 0.5 * (f64x2.extract_lane(xy, 0) + f64x2.extract_lane(xy, 1) + z);
}
