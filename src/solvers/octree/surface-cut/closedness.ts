// Whether triangles are closed: each directed edge once, and with its opposite.

/** The edges, as pairs of vertices, that are not so. */
export function findOpenEdges(triangles: ArrayLike<number>, vertexCount: number): [number, number][] {
  const edges = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const key = triangles[t + c] * vertexCount + triangles[t + ((c + 1) % 3)];
      edges.set(key, (edges.get(key) ?? 0) + 1);
    }
  }
  const open: [number, number][] = [];
  for (const [key, count] of edges) {
    const [from, to] = [Math.floor(key / vertexCount), key % vertexCount];
    if (count !== 1 || from === to || edges.get(to * vertexCount + from) !== 1) open.push([from, to]);
  }
  return open;
}
