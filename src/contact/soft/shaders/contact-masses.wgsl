// What contacts of vertices and of edges have in common: their gap, masses, what of the own body may be touched.
// Needs: bodies, topology, rest, positions.

/** Gap between surfaces in contact, in mean edges of the finer body. */
const THICKNESS = 0.05;
/** Vertices of the own body nearer than this at rest, in mean edges, are left alone: their triangles are within three edges. */
const REST_NEAR = 4.0;

/** Whether a vertex of the own body may be touched. */
fn mayTouchOwn(body: Body, i: u32, j: u32) -> bool {
  if ((body.flags & SELF) == 0u) { return false; }
  let apart = rest[i].position.xyz - rest[j].position.xyz;
  let near = REST_NEAR * body.edge;
  return dot(apart, apart) > near * near;
}

/** [1/kg]; 0 for what is pinned or asleep. */
fn inverseMass(particle: u32) -> f32 {
  let body = bodies[topology[particle / CHUNK]];
  if ((body.flags & ASLEEP) != 0u || positions[particle].w > 0.0) { return 0.0; }
  return 1.0 / (body.mass * rest[particle].areas.w);
}
