// Bodies between obstacles that close on them: how fast their particles may move; see src/solvers/volume/pressing.ts and tuning.ts.

/** Share of a body's mass that obstacles touch, and what the sum of their normals leaves of it, where they press it from opposite sides. */
const PRESSED_SHARE = 0.2;
const OPPOSED = 0.35;
/** How fast its particles may be: times the obstacles' speed, and body sizes a second besides; the most of that beyond the obstacles' own. */
const PRESSED_SPEEDS = 6.0;
const PRESSED_CALM = 2.0;
const PRESSED_MOST = 40.0;
/** What single particles are held to before the whole is slowed down, in body sizes a second. */
const PRESSED_ELASTIC = 20.0;
/** How that speed falls by a share of itself in a second, rises by body sizes a second in each, and is free from so many on. */
const PRESSED_FALL = 40.0;
const PRESSED_RISE = 1.0;
const PRESSED_FREE = 60.0;
/** Share of it below which a body moves by itself, and by which share of itself it then rises in a second. */
const PRESSED_EASY = 0.9;
const PRESSED_EASE = 20.0;
/** Share of an obstacle's speed that goes away from the body from which on it leaves it. */
const LEAVING = 0.1;

/** What single particles are held to [m/s]. */
fn mostOf(speed: f32, size: f32) -> f32 {
  return max(speed, PRESSED_ELASTIC * size);
}

/** What of a velocity is left of which no more is than `most`. */
fn heldShare(v: vec3f, most: f32) -> f32 {
  let square = dot(v, v);
  return select(1.0, most / sqrt(square), square > most * most);
}

/**
 * Speed that counts from here on [m/s], 0 for any. Of what obstacles touch: its share of the mass, Σ m n, the square of their speed where
 * they do not leave; the speed of the body, and what counted before.
 */
fn nextPressedSpeed(touching: f32, support: vec3f, fastest2: f32, own: f32, before: f32, size: f32, timeStep: f32) -> f32 {
  if (touching < PRESSED_SHARE || length(support) > OPPOSED * touching) {
    let risen = max(before + PRESSED_RISE * size * timeStep, own + PRESSED_CALM * size);
    return select(risen, 0.0, before == 0.0 || risen > PRESSED_FREE * size + own);
  }
  let speed = max(sqrt(fastest2), own);
  let pressed = min(PRESSED_SPEEDS * speed + PRESSED_CALM * size, speed + PRESSED_MOST * size);
  return select(max(pressed, before / (1.0 + PRESSED_FALL * timeStep)), pressed, before == 0.0);
}
