// The four particles of a contact: a vertex and the corners of a triangle, or the ends of two edges.

/** Weights of the first particle and of the corners, positive on the first side and negative on the other; a particle of the other side. */
struct ContactParts { own: f32, corners: vec3f, other: u32 }

fn partsOf(contact: BodyContact) -> ContactParts {
  let w = contact.weights.xyz;
  if (contact.corners.w == 2u) { return ContactParts(1.0 - w.x, w, contact.corners.y); }
  return ContactParts(1.0, -w, contact.corners.x);
}
