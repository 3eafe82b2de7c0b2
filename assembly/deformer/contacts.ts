// What contact adds to a frame's energy. Kernel for src/deformer/contacts.ts, in the order of the loop there.

/**
 * Adds the forces of sites behind their planes to `out` and returns their energy. Planes are four numbers, a normal and an offset; the
 * site of one lies in the middle of two vertices, whose places are given in numbers.
 */
export function addContacts(count: i32, planes: usize, stiffnesses: usize, ends: usize, vertices: usize, out: usize): f64 {
  let energy: f64 = 0;
  const apart = out - vertices;
  for (let n = 0; n < count; n++, planes += 32, stiffnesses += 8, ends += 8) {
    const a = vertices + (<usize>load<u32>(ends) << 3);
    const b = vertices + (<usize>load<u32>(ends, 4) << 3);
    const nx = 0.5 * load<f64>(planes);
    const ny = 0.5 * load<f64>(planes, 8);
    const nz = 0.5 * load<f64>(planes, 16);
    const pressed =
      load<f64>(planes, 24) -
      nx * (load<f64>(a) + load<f64>(b)) -
      ny * (load<f64>(a, 8) + load<f64>(b, 8)) -
      nz * (load<f64>(a, 16) + load<f64>(b, 16));
    if (pressed <= 0) continue;
    const force = load<f64>(stiffnesses) * pressed;
    energy += 0.5 * force * pressed;
    take(a + apart, force, nx, ny, nz);
    take(b + apart, force, nx, ny, nz);
  }
  return energy;
}

// @ts-ignore: decorator
@inline function take(at: usize, force: f64, nx: f64, ny: f64, nz: f64): void {
  store<f64>(at, load<f64>(at) - force * nx);
  store<f64>(at, load<f64>(at, 8) - force * ny, 8);
  store<f64>(at, load<f64>(at, 16) - force * nz, 16);
}
