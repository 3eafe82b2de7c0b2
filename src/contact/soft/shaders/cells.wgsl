// Cells of a uniform grid in a table: which one a point is in. Origins of bodies differ by whole steps of their grids, so that the
// difference is exact.

fn cellOf(x: vec3f) -> vec3i {
  return vec3i(floor(x / step.cellSize));
}

fn tableAt(cell: vec3i) -> u32 {
  let hash = (bitcast<u32>(cell.x) * 73856093u) ^ (bitcast<u32>(cell.y) * 19349663u) ^ (bitcast<u32>(cell.z) * 83492791u);
  return (hash ^ (hash >> 15u)) & (step.cellCount - 1u);
}
