// The four particles of a contact: a vertex and the corners of a triangle, or the ends of two edges.

/** Weights of the first particle and of the corners, positive on the first side and negative on the other; a particle of the other side. */
struct ContactParts { own: f32, corners: vec3f, other: u32 }

/** What a load of 1 is, as a whole number: a particle's is the sum of its weights in all contacts that may press. */
const LOAD = 4096.0;
/** The same of what a particle touches. */
const TOUCH = 65536.0;

fn partsOf(contact: BodyContact) -> ContactParts {
  let w = contact.weights.xyz;
  if (contact.corners.w == 2u) { return ContactParts(1.0 - w.x, w, contact.corners.y); }
  return ContactParts(1.0, -w, contact.corners.x);
}
