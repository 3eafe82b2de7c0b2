// Lists of different lengths, one per vertex, as columns: the k-th entries of all lists lie side by side, longest lists first, so that
// neighbouring invocations read neighbouring entries, and those of a workgroup end at about the same time. [CDD11 §4, fig. 2]
// Needs: iterate, columns (number of columns, their begins and the end of the last, the vertex of each invocation).

/** The vertex of an invocation. */
fn vertexOf(t: u32) -> u32 {
  return columns[2u + columns[0] + t];
}

/** Whether an invocation has an entry in column k. */
fn hasEntry(t: u32, k: u32) -> bool {
  return k < columns[0] && t < columns[2u + k] - columns[1u + k];
}

/** Where that is. */
fn entryOf(t: u32, k: u32) -> u32 {
  return columns[1u + k] + t;
}
