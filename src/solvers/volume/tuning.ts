// The numbers of the volume constraint: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * Mean of the normals of what a body touches, by mass, from which on that side bears it all: a ball with a tenth of its surface
 * on the floor is borne by half.
 */
export const SUPPORTED = 0.2;
/**
 * Least share of its length that a turned push has along the normal. Where the surface is folded against its region it would
 * point along the surface or into the body; there it leans outwards by as much as is missing, so that nobody's push takes volume.
 */
export const OUTWARD = 0.1;
/** Most steps of the secant method; a few do unless particles start and stop slipping. */
export const FLUX_ROUNDS = 20;
/** Share of the velocity correction's effect that free particles must have. */
export const FREE_GAIN = 0.5;
/**
 * Furthest that a correction may move a particle, in body sizes. A body that was turned inside out or collapsed comes
 * back over several steps: at 0.5 instead of 0.1 a mirrored cube stayed crumpled. One flattened by an impact has no such
 * time and gets the longer reach.
 */
export const REACH = 0.1;
export const LIFT_REACH = 0.5;
/**
 * The same for bodies under pins, whose regions would take them back to their rest shape in a step: drawn out to twice its length, a ball with
 * regions as wide as half of it is to be a third thinner, step by step.
 */
export const ANCHORED_REACH = 0.5;
/**
 * The same for bodies that others crush, in sizes per second: where nearly all particles touch something, the few that do not
 * would have to make up the whole volume, and shot into neighbours as spikes of a tenth of the body; in a tub of ducks that
 * tore some of them. There those that touch other bodies take part, and the next step moves these apart.
 */
export const CRUSHED_REACH = 1;
/**
 * Free particles of a crushed body go further where growing evenly would take it far: this many times as far. Without it balls
 * that fall on each other in a tube came to lie in each other by a third. Those of a body that is pressed flat already do not:
 * from WHOLE to FLAT times its mean radius at rest that fades. Very soft ducks in a crowd flowed apart and burst otherwise,
 * and at twice the stretch as well.
 */
export const CRUSHED_STRETCH = 6;
export const WHOLE = 1.05;
export const FLAT = 1.12;
/** Mean speed from which on a body that touches others is taken to be crushed by them, in sizes per second; a pile at rest is not. */
export const CRUSHED_SPEED = 1;
/** How often the correction is solved again because it would have carried particles into an obstacle. */
export const CONTACT_ROUNDS = 12;
/** A particle's local share is at most this multiple of the mean share. */
export const SHARE_CAP = 4;
/** Share of the neighbours' mean in a pass: two such passes spread a weight as far as three of ½ each. */
export const SMOOTHING = 0.75;
/** Passes of the umbrella filter. */
export const SMOOTHING_PASSES = 2;
/** Share of a body's mass that obstacles touch, and what the sum of their normals leaves of it, where they press it from opposite sides. */
export const PRESSED_SHARE = 0.2;
export const OPPOSED = 0.35;
/**
 * How fast particles of a pressed body may move: times the speed of these obstacles, and body sizes a second besides, so that it
 * takes its shape between obstacles that rest. A ball that is pressed to 22 % of its height needs five times their speed.
 */
export const PRESSED_SPEEDS = 6;
export const PRESSED_CALM = 2;
/** The most of that beyond the obstacles' own speed, in body sizes a second: a fifth of a size in a step. */
export const PRESSED_MOST = 40;
/**
 * What single particles of it are held to before the whole is slowed down, in body sizes a second: a tenth of a size in a step is what
 * elasticity pulls at most, and one that is faster would take it from all others.
 */
export const PRESSED_ELASTIC = 20;
/**
 * By which share of itself that speed falls in a second while the body is pressed; by how many body sizes a second it rises in each second after
 * it was let go, and from how many on it is free. Taken away at once, what is left of the motion of closing costs volume; given at once
 * the body springs back at a hundred metres a second, and by 25 sizes a second, at up to sixteen times the speed of what had pressed it.
 */
export const PRESSED_FALL = 40;
export const PRESSED_RISE = 1;
export const PRESSED_FREE = 60;
/** Share of that speed below which a body moves by itself, as it has sprung back; by which share of itself the speed then rises in a second. */
export const PRESSED_EASY = 0.9;
export const PRESSED_EASE = 20;
/** Share of an obstacle's speed that goes away from the body from which on it leaves it: what leaves explains no motion of the body. */
export const LEAVING = 0.1;
