// The numbers of bodies that lie in each other: one description for the kernels (AssemblyScript) and the reference (TypeScript).

/**
 * How fast they are moved apart, in sizes of the smaller body per second, and the time [s] that it takes at least. Each shift lifts what
 * lies above: at 0.05 s, moved as wholes, it gave resting piles of fine meshes more energy than they lost.
 */
export const SPEED = 2;
export const LEAVE_TIME = 0.1;
/**
 * They go faster by this many times for each second for which both have been slow, up to a multiple: limbs that neighbours hold in each other
 * came back by elasticity as far as they were moved, for good; moved as fast from the first, a pile is livelier.
 */
export const HURRY = 2;
export const HURRIED = 4;
/** How far around a pocket bodies are moved with it, in sizes of the smaller one: a limb and what it hangs on. */
export const AROUND = 0.3;
/** The same at least, where another pocket is near. */
export const AROUND_LEAST = 0.02;
/**
 * The extent of a pocket, in the same unit, around which bodies are moved as wholes: those that come fast. Stopped around the pocket
 * alone, a ball went through a soft plate at 50 m/s.
 */
export const EVERYWHERE = 1e4;
/** Furthest that deep vertices may have to go, in sizes of the smaller body, to be stopped one by one. */
export const EXIT = 0.5;
/**
 * Share of both bodies' vertices that have to be deep before two that come fast are let through each other. In an impact a
 * crushed surface folds, and a single vertex that then counted as deep let two balls of 100 m/s slip through each other.
 * Where they are slow, one is enough: left alone, a beak stuck in its neighbour for good.
 */
export const DEEP_SHARE = 0.01;
/**
 * Fast is who gets further than this share of the smaller body's size within this time [s], whatever the parts in which a step
 * is taken. Measured by edges or walls, fine meshes and thin parts were fast while they lay in a pile, and limbs of theirs stuck
 * in their neighbours for good.
 */
export const SLOW_SHARE = 0.03;
export const IMPACT_TIME = 0.005;
/** Share of the surface inside whose normals cancel: one body contains the other, and their centres tell the way out. */
export const NO_DIRECTION = 0.1;
/** Height over a triangle, in mean edges, up to which a vertex is not outside. */
export const SURFACE = 1e-6;
/** Cosine of the angle between two surfaces from which they face the same way. */
export const SAME_WAY = 0.5;
/**
 * Depth, in sizes of the smaller body, below which a vertex near the surface is not far in whatever it faces: ordinary contact has it. With none,
 * a corner that pressed into a thin ear counted as having come through it; the contacts there were let go, and what they had held sprang in by 3 %
 * of a size at once: of twenty piles four did not come to rest. (Of fine meshes what is beyond the margin of contact, 0.08 edges of either, is asked for
 * by a ray, and is far in from there on.)
 */
export const SHALLOW = 0.005;
/** Vertices per body, pair and step that are asked whether they lie deep inside the other. */
export const PROBES = 1;
/** One step in so many all vertices of a pair are. */
export const LOOKS = 8;
/** Marks of a body's vertices, bits of a byte: inside the other body; near its surface; far in. */
export const INSIDE = 1;
export const NEAR = 2;
export const FAR = 4;
