// Brings back bodies that are broken: turned inside out, collapsed, scattered, crumpled. Their regions cannot do it, as what is
// broken is a rest state to each of them, and the volume constraint would freeze it. While a body is broken it is drawn to
// the one placement of its whole rest shape that fits best, and its volume is let go; then the volume is ramped in again. Of a
// body that is torn in places only, these places are drawn.
//
// Measured on 13 meshes × 5 states × 4 settings: without this 49 of 260 free bodies are not back after 400 steps, with it
// all are within 30.

import { power } from '../../math/power.js';
import { captureFields, type StateTree } from '../../math/state-tree.js';
import { drawPatches } from './draw-patches.js';
import { drawWhole, liesElsewhere } from './draw-whole.js';
import { addFolds, countTorn, foldsOf } from './folds.js';
import { pinsDrawnApart, type RecoverableBody, type Surroundings, shapeOf } from './recoverable-body.js';

/** Share of folded edges, and of the volume, from which on a body is broken at once: nothing ordinary comes near them. */
const FOLDED_AT_ONCE = 0.2;
const VOLUME_AT_ONCE = 0.3;
/**
 * Where nothing presses: share of torn edges that is none, share from which on the whole body is drawn and not only the torn
 * places, and for how long either may last [s].
 */
const TORN_LEFT = 0.0005;
const TORN_KEPT = 0.015;
const PATIENCE = 0.2;
/** How far a free body may lie still from its rest shape, in its sizes, and what lying still is, in sizes per second. */
const FITS = 0.05;
const STILL = 0.05;
/** How near a body comes to its shape where nothing keeps it from it: what is left of it very soft ones would swing for seconds. */
const FITS_FREELY = 0.005;
/** Share of the misfit of the step before below which a body is still on its way. */
const NEARING = 0.95;
/** Share of the way to the rest shape in 5 ms: 0.3 brings back all, within some twenty steps; 0.02 takes 150. */
const PULL = 0.3;
/** Longest that a body is drawn at a time, and how long it is then left alone [s]. */
const LONGEST = 0.5;
const PAUSE = 0.5;
/** A pause is twice as long as the one before it, this often: what does not help is not to be seen all the time. */
const LONGEST_PAUSE = 5;
/**
 * Torn places that were mended and tear again, as something holds them so, are left alone for this long [s], each time twice as long
 * as before, until they have held for a while [s]. Mended four times a second, a beak under a pile kept all of it awake.
 */
const RELAPSE_PAUSE = 0.25;
const HELD = 1;
/** Share of V₀ by which the volume wanted grows in 5 ms. */
const RAMP = 0.04;
/** How far around torn edges their places reach, in body sizes: further each time that it did not help. */
const REACHES = [0.08, 0.16, 0.32];
/**
 * Of a body that was drawn: share of folded edges that is none, and how often it is drawn again where more last. What lay in others while it was
 * drawn may be left with a dent that its regions keep, 13 folds of 1888 in a duck at the bottom of a tub, which are too few to be broken by.
 */
const FOLDED_LEFT = 0.002;
const REDRAWN = 3;
/** Steps over which the watched edges are looked at once. */
const CYCLE = 16;
const REFERENCE_STEP = 0.005;

/** What is being drawn. */
type Drawing = 'none' | 'whole' | 'patches';

/** What of it outlives a step. */
const STATE = [
  ...['drawing', 'volumeShare', 'count', 'quaternion', 'written', 'place', 'folds', 'torn', 'still', 'time', 'pause'],
  ...['misfit', 'attempts', 'relapses', 'patience', 'whole', 'redraws', 'folded', 'smooth'],
];

/** Whether a body is broken, and how far it has come back. */
export class Recovery {
  drawing: Drawing = 'none';
  /** Share of V₀ that the volume constraint is to keep; 0 for none. */
  volumeShare = 1;
  /** How often the whole of it was found broken. */
  count = 0;
  /** How its rest shape as a whole is turned. */
  private readonly quaternion = Float64Array.of(0, 0, 0, 1);
  /** Its particles were written from outside: what it looks like has to be found anew. */
  private written = true;
  /** Watched edges that were looked at, and folds among them. */
  private place = 0;
  private readonly folds = { folded: 0, torn: 0 };
  /** How long it has been torn, or still in another shape; how long it is drawn, or left alone [s]. */
  private torn = 0;
  private still = 0;
  private time = 0;
  private pause = 0;
  /** How far it is from its shape, in its sizes. */
  private misfit = 0;
  /** How often its torn places were drawn in vain. */
  private attempts = 0;
  /** How often they were mended lately, how long they are left alone from now on, and how long nothing has been torn [s]. */
  private relapses = 0;
  private patience = 0;
  private whole = 0;
  /** How often it may still be drawn again, and how long it has been folded since, or has not [s]. */
  private redraws = 0;
  private folded = 0;
  private smooth = 0;

  /** The particles were placed by hand; `rotation` is how the rest shape is turned there, where that is known. */
  renew(rotation?: ArrayLike<number>): void {
    this.written = true;
    this.pause = 0;
    if (rotation) this.quaternion.set(rotation);
  }

  /** What a snapshot holds of it. */
  capture(): { [key: string]: StateTree } {
    return captureFields(this, { only: STATE });
  }

  /** Whether it is on its way back: it does not sleep then. */
  get isActive(): boolean {
    return this.drawing !== 'none' || this.volumeShare < 1;
  }

  /** Whether it is, or was placed by hand and not looked at since. */
  get isAsked(): boolean {
    return this.written || this.isActive;
  }

  /** Before a step of `timeStep` [s]: looks at the body, and where it is broken moves it. */
  update(body: RecoverableBody, around: Surroundings, timeStep: number): void {
    if (this.volumeShare < 1 && this.drawing !== 'whole') {
      this.volumeShare = Math.min(1, this.volumeShare + RAMP * (timeStep / REFERENCE_STEP));
    }
    this.pause = Math.max(0, this.pause - timeStep);
    if (this.drawing === 'none' && this.pause === 0) this.begin(this.look(body, around, timeStep));
    if (this.drawing !== 'none') this.draw(body, around, timeStep);
  }

  private begin(drawing: Drawing): void {
    this.drawing = drawing;
    this.time = 0;
    if (drawing !== 'whole') return;
    if (this.folded > PATIENCE) {
      this.redraws--;
    } else {
      this.count++;
      this.redraws = REDRAWN;
    }
    this.folded = 0;
    this.smooth = 0;
    this.volumeShare = 0;
    this.misfit = Number.POSITIVE_INFINITY;
  }

  /** A slice of the watched edges per step; once around, or at once where the particles were written, a verdict. */
  private look(body: RecoverableBody, around: Surroundings, timeStep: number): Drawing {
    const { mesh } = body.prepared;
    const folds = foldsOf(mesh);
    const first = this.written ? 0 : this.place;
    const next = this.written ? folds.watched : Math.min(folds.watched, first + Math.ceil(folds.watched / CYCLE));
    if (first === 0) Object.assign(this.folds, { folded: 0, torn: 0 });
    // What was placed by hand is that; a model may not have taken all of it over.
    addFolds(mesh, folds, this.written ? body.positions : shapeOf(body), first, next, this.folds);
    this.place = next < folds.watched ? next : 0;
    if (next < folds.watched) return 'none';
    const elapsed = this.written ? 0 : CYCLE * timeStep;
    this.written = false;
    return this.judge(body, around, elapsed);
  }

  private judge(body: RecoverableBody, around: Surroundings, elapsed: number): Drawing {
    const { mesh, volume } = body.prepared;
    const { watched } = foldsOf(mesh);
    const wanted = body.inflation.factor * volume.volume;
    // Nothing of a surface that is placed anew in every step stays torn but what its inside tears, and that pulls itself together.
    const torn = body.hostModel?.carried ? 0 : this.tornOf(body) / watched;
    if (this.folds.folded > FOLDED_AT_ONCE * watched || body.volumeNow < VOLUME_AT_ONCE * wanted) {
      return 'whole';
    }
    if (this.redraws > 0 && !body.hostModel?.carried && this.staysFolded(watched, elapsed)) return 'whole';
    const lies = body.isFree && liesElsewhere(body, this.quaternion, FITS, STILL);
    this.still = lies ? this.still + elapsed : 0;
    if (this.still > PATIENCE) return 'whole';
    if (torn <= TORN_LEFT) this.attempts = 0;
    this.whole = torn <= TORN_LEFT ? this.whole + elapsed : 0;
    if (this.whole > HELD) this.relapses = 0;
    this.patience = Math.max(0, this.patience - elapsed);
    this.torn = torn > TORN_LEFT && !around.isPressed() ? this.torn + elapsed : 0;
    if (this.torn <= PATIENCE) return 'none';
    if (torn > TORN_KEPT || this.attempts >= REACHES.length) return 'whole';
    return this.patience > 0 ? 'none' : 'patches';
  }

  /** Whether a body that was drawn has been folded for a while; one that has not for longer is back. */
  private staysFolded(watched: number, elapsed: number): boolean {
    const isFolded = this.folds.folded > FOLDED_LEFT * watched;
    this.folded = isFolded ? this.folded + elapsed : 0;
    this.smooth = isFolded ? 0 : this.smooth + elapsed;
    if (this.smooth > HELD) this.redraws = 0;
    return this.folded > PATIENCE;
  }

  /** Torn edges among those that were looked at. */
  private tornOf(body: RecoverableBody): number {
    const { mesh } = body.prepared;
    if (this.folds.torn === 0) return 0;
    const stretch = pinsDrawnApart(body);
    return stretch > 1 ? countTorn(mesh, foldsOf(mesh), body.positions, stretch) : this.folds.torn;
  }

  /** A share of the way back; ends where it is done, or as far as it can get. */
  private draw(body: RecoverableBody, around: Surroundings, timeStep: number): void {
    const left = power(1 - PULL, timeStep / REFERENCE_STEP);
    this.time += timeStep;
    if (this.drawing === 'whole' ? this.drawShape(body, around, left) : this.drawPlaces(body, left)) {
      this.end(body);
    } else if (this.time >= LONGEST) {
      this.end(body);
      this.pause = PAUSE * (1 << Math.min(this.attempts++, LONGEST_PAUSE));
    }
  }

  /** Whether it is there. */
  private drawShape(body: RecoverableBody, around: Surroundings, left: number): boolean {
    const misfit = drawWhole(body, around, this.quaternion, left, FITS_FREELY);
    const isNearing = misfit < NEARING * this.misfit;
    this.misfit = misfit;
    return misfit < FITS_FREELY || (misfit < FITS && !isNearing && !body.isFree);
  }

  /** Whether nothing is torn any more. */
  private drawPlaces(body: RecoverableBody, left: number): boolean {
    return !drawPatches(body, REACHES[Math.min(this.attempts, REACHES.length - 1)], left);
  }

  private end(body: RecoverableBody): void {
    // From where it is: a volume that is wanted at once would be pressed out of a few places.
    if (this.drawing === 'whole') {
      this.volumeShare = Math.min(
        1,
        Math.max(RAMP, body.volumeNow / (body.inflation.factor * body.prepared.volume.volume)),
      );
    }
    if (this.drawing === 'patches') {
      this.patience = RELAPSE_PAUSE * (1 << Math.min(this.relapses++, LONGEST_PAUSE));
    }
    this.drawing = 'none';
    this.torn = 0;
    this.still = 0;
  }
}
