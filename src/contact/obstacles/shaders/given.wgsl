// What obstacles and other bodies gave a particle in the substeps of a step, after its contact: two slots of change of velocity [m/s] and
// who gave it, the number of an obstacle from 1 or of a body from −1. Needs: contacts.

/** Where the contact of a particle is: normal and friction; velocity of the surface, and 1 on an obstacle plus 2 on a body plus 4 deep in it;
 * two slots. */
fn contactOf(i: u32) -> u32 {
  return 4u * i;
}

/** A third giver counts for the second. */
fn addGiven(i: u32, giver: f32, change: vec3f) {
  let at = contactOf(i) + 2u;
  let first = contacts[at];
  if (first.w == giver || first.w == 0.0) {
    contacts[at] = vec4f(first.xyz + change, giver);
    return;
  }
  let second = contacts[at + 1u];
  contacts[at + 1u] = vec4f(second.xyz + change, select(second.w, giver, second.w == 0.0));
}
