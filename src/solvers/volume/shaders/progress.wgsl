// How far a body's position correction has come. It has up to three attempts: its free particles; those in contact lifted off too; those
// also into what gives way. Each attempt is solved again while it would carry particles into an obstacle.

/** `attempt` of a body whose volume is as it should be, or free. */
const DONE = 3u;
/** Particles may go into what gives way itself. */
const LAST_ATTEMPT = 2u;
/** Rounds of an attempt whose particles cannot make up the volume. */
const ATTEMPT_ROUNDS = 4u;

/** Marks of a particle, as sums. */
const PINNED = 1u;
const ON_OBSTACLE = 2u;
const ON_BODY = 4u;

/** Whether the position correction leaves it where it is. */
fn isHeld(marks: u32, attempt: u32) -> bool {
  return (marks & PINNED) != 0u || (attempt == 0u && marks != 0u);
}
