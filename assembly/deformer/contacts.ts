// Planes of balls, and what contact adds to a frame's energy. Kernels for src/deformer/contacts.ts, in the order of the loops there.

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
    const pressed = depthBehind(planes, a, b);
    if (pressed <= 0) continue;
    const nx = 0.5 * load<f64>(planes);
    const ny = 0.5 * load<f64>(planes, 8);
    const nz = 0.5 * load<f64>(planes, 16);
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

/** Their energy alone. */
export function sumContacts(count: i32, planes: usize, stiffnesses: usize, ends: usize, vertices: usize): f64 {
  let energy: f64 = 0;
  for (let n = 0; n < count; n++, planes += 32, stiffnesses += 8, ends += 8) {
    const a = vertices + (<usize>load<u32>(ends) << 3);
    const b = vertices + (<usize>load<u32>(ends, 4) << 3);
    // No jump: which sites are behind their planes cannot be guessed.
    const pressed = f64x2.extract_lane(f64x2.pmax(f64x2.splat(0), f64x2.splat(depthBehind(planes, a, b))), 0);
    energy += 0.5 * (load<f64>(stiffnesses) * pressed) * pressed;
  }
  return energy;
}

/**
 * Adds the stiffness of sites that are more than `least` behind their planes to the helper vertices that carry them, and stiffness × normal
 * to `pushes`. Four corners and weights for each vertex.
 */
export function lumpContacts(
  count: i32, planes: usize, stiffnesses: usize, ends: usize, vertices: usize, least: f64, corners: usize, weights: usize, stiffness: usize,
  pushes: usize,
): void {
  for (let n = 0; n < count; n++, planes += 32, stiffnesses += 8, ends += 8) {
    const a = <usize>load<u32>(ends);
    const b = <usize>load<u32>(ends, 4);
    if (depthBehind(planes, vertices + (a << 3), vertices + (b << 3)) <= least) continue;
    const half = 0.5 * load<f64>(stiffnesses);
    lumpAt(a / 3, half, planes, corners, weights, stiffness, pushes);
    lumpAt(b / 3, half, planes, corners, weights, stiffness, pushes);
  }
}

// @ts-ignore: decorator
@inline function lumpAt(v: usize, half: f64, plane: usize, corners: usize, weights: usize, stiffness: usize, pushes: usize): void {
  corners += v << 4;
  weights += v << 5;
  for (let k: usize = 0; k < 4; k++) {
    const share = half * load<f64>(weights + (k << 3));
    const corner = <usize>load<u32>(corners + (k << 2));
    const own = stiffness + (corner << 3);
    store<f64>(own, load<f64>(own) + share);
    const push = pushes + corner * 24;
    v128.store(push, f64x2.add(v128.load(push), f64x2.mul(f64x2.splat(share), v128.load(plane))));
    store<f64>(push, load<f64>(push, 16) + share * load<f64>(plane, 16), 16);
  }
}

/** How far the middle of two vertices is behind a plane. */
// @ts-ignore: decorator
@inline function depthBehind(plane: usize, a: usize, b: usize): f64 {
  return (
    load<f64>(plane, 24) -
    0.5 * load<f64>(plane) * (load<f64>(a) + load<f64>(b)) -
    0.5 * load<f64>(plane, 8) * (load<f64>(a, 8) + load<f64>(b, 8)) -
    0.5 * load<f64>(plane, 16) * (load<f64>(a, 16) + load<f64>(b, 16))
  );
}

/**
 * Writes the planes of sites that are at most `band` from a ball, from `site` on, behind those that there are; returns the first site
 * that has to walk out of it, or `siteCount`. The ball is its middle, its radius, the way out of it, the depth up to which and the cosine
 * from which on sites go to their nearest points, and the number of planes. `near` is what `Contacts.near` is.
 */
export function listBall(
  site: i32, siteCount: i32, ball: usize, travel: f64, band: f64, near: usize, siteStiffnesses: usize, siteEnds: usize, vertices: usize,
  planes: usize, stiffnesses: usize, ends: usize,
): i32 {
  const middleX = load<f64>(ball);
  const middleY = load<f64>(ball, 8);
  const middleZ = load<f64>(ball, 16);
  const radius = load<f64>(ball, 24);
  const wayX = load<f64>(ball, 32);
  const wayY = load<f64>(ball, 40);
  const wayZ = load<f64>(ball, 48);
  const shallow = load<f64>(ball, 56);
  const along = load<f64>(ball, 64);
  let count = <usize>load<f64>(ball, 72);
  for (; site < siteCount; site++) {
    const known = near + (<usize>site << 3);
    if (load<f64>(known) - travel > band) continue;
    const pair = siteEnds + (<usize>site << 3);
    const a = vertices + (<usize>load<u32>(pair) << 3);
    const b = vertices + (<usize>load<u32>(pair, 4) << 3);
    const x = 0.5 * (load<f64>(a) + load<f64>(b));
    const y = 0.5 * (load<f64>(a, 8) + load<f64>(b, 8));
    const z = 0.5 * (load<f64>(a, 16) + load<f64>(b, 16));
    const dx = x - middleX;
    const dy = y - middleY;
    const dz = z - middleZ;
    const apart = sqrt(dx * dx + dy * dy + dz * dz);
    if (!(apart > 0)) break;
    const distance = apart - radius;
    if (distance > band) {
      store<f64>(known, travel + distance);
      continue;
    }
    const nx = dx / apart;
    const ny = dy / apart;
    const nz = dz / apart;
    if (distance < 0 && !(-distance < shallow && nx * wayX + ny * wayY + nz * wayZ > along)) break;
    store<f64>(known, travel + distance);
    const plane = planes + (count << 5);
    store<f64>(plane, nx);
    store<f64>(plane, ny, 8);
    store<f64>(plane, nz, 16);
    store<f64>(plane, nx * (x - distance * nx) + ny * (y - distance * ny) + nz * (z - distance * nz), 24);
    store<f64>(stiffnesses + (count << 3), load<f64>(siteStiffnesses + (<usize>site << 3)));
    store<u64>(ends + (count << 3), load<u64>(pair));
    count++;
  }
  store<f64>(ball, <f64>count, 72);
  return site;
}
