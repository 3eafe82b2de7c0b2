// Whether triangles are closed: each directed edge once, and with its opposite.

/** The edges, as pairs of vertices, that are not so, among those with a vertex from `first` on. */
export function findOpenEdges(triangles: ArrayLike<number>, vertexCount: number, first = 0): [number, number][] {
  const edges = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const [a, b] = [triangles[t + c], triangles[t + ((c + 1) % 3)]];
      if (a < first && b < first) continue;
      const key = a * vertexCount + b;
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
