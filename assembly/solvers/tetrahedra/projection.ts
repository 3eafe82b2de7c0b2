// What contacts and pins leave of fields of vectors: src/solvers/tetrahedra/contact-projection.ts.

/** Takes what nodes are held along, and all of what belongs to nodes that may not move. */
export function projectField(inverseMasses: usize, heldCounts: usize, held: usize, nodes: i32, field: usize): void {
  for (let n = 0; n < nodes; n++, inverseMasses += 8, heldCounts++, held += 72, field += 24) {
    if (load<f64>(inverseMasses) == 0) memory.fill(field, 0, 24);
    const count = <usize>load<u8>(heldCounts);
    if (count != 0) project(held, count, field);
  }
}

/** P·M⁻¹·forces, without links. */
export function applyInverseMass(
  inverseMasses: usize,
  heldCounts: usize,
  held: usize,
  nodes: i32,
  forces: usize,
  out: usize,
): void {
  for (let n = 0; n < nodes; n++, inverseMasses += 8, heldCounts++, held += 72, forces += 24, out += 24) {
    const mass = load<f64>(inverseMasses);
    store<f64>(out, load<f64>(forces) * mass);
    store<f64>(out, load<f64>(forces, 8) * mass, 8);
    store<f64>(out, load<f64>(forces, 16) * mass, 16);
    const count = <usize>load<u8>(heldCounts);
    if (count != 0) project(held, count, out);
  }
}

function project(held: usize, count: usize, field: usize): void {
  const end = held + 24 * count;
  for (; held < end; held += 24) {
    const x = load<f64>(field);
    const y = load<f64>(field, 8);
    const z = load<f64>(field, 16);
    const along = x * load<f64>(held) + y * load<f64>(held, 8) + z * load<f64>(held, 16);
    store<f64>(field, x - along * load<f64>(held));
    store<f64>(field, y - along * load<f64>(held, 8), 8);
    store<f64>(field, z - along * load<f64>(held, 16), 16);
  }
}
