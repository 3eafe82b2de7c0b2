// Contacts made of the candidates of a pair: where each vertex touches a triangle, along which normal, and how far it has to go.
// Mirrors src/contact/narrow-phase/vertex-contacts.ts.

import * as tuning from '../../../src/contact/narrow-phase/tuning';
import * as responseTuning from '../../../src/contact/response/tuning';
import {
  BODY_CROSSED, BODY_FRICTION, BODY_FRICTIONS, BODY_RESTITUTION, BODY_SIZE, CONTACT_BYTES, PAIR_A, PAIR_B, PAIR_CONTACTS, PAIR_COUNT_A, PAIR_COUNT_B,
  WORLD_CONTACTS, WORLD_CONTACTS_BYTES,
} from '../../layout';
import { dot3, splat4, sub4 } from '../../simd/lanes';
import {
  candidateOf, DEEP, HEIGHT, MET_B, MET_C, MET_NORMAL, MET_TRIANGLE, OUTWARD, OUTWARD_GAP, squareOf, TIME as MEETING, touchedA, touchedB, touchedVertex, TRIANGLE,
  WEIGHT_B, WEIGHT_C,
} from './candidates';
import { GAP, NORMAL, PARTICLES, RESTITUTION, SHIFT, THICKNESS as KEPT, TIME, WEIGHTS } from '../response/feature-contacts';
import { offsetOf } from './detection';
import { thickness } from './leaf-test';
import { wayAt } from '../soft/pockets';
import { world } from '../../threads';

/** Share of the thickness below which a distance has no direction of its own. */
const NO_DISTANCE: f32 = <f32>tuning.NO_DISTANCE;
const PUSH: f32 = <f32>responseTuning.PUSH;
const DEEP_PUSH: f32 = <f32>responseTuning.DEEP_PUSH;
const OUT_SHARE: f32 = <f32>responseTuning.OUT_SHARE;

// Where the thread's contacts go: the next one, and a spare place behind the last, for those that find no room.
let contactsAt: usize = 0;
let contactsEnd: usize = 0;

/** Turns to a thread's room for contacts, empty. */
export function setContactRoom(thread: i32): void {
  const room: usize = load<u32>(world + WORLD_CONTACTS_BYTES);
  contactsAt = <usize>load<u32>(world + WORLD_CONTACTS) + <usize>thread * (room + CONTACT_BYTES);
  contactsEnd = contactsAt + room;
}

/**
 * Makes contacts of the candidates. What finds no room is counted all the same, and told from the rest by the sum of all
 * counts (see `colourPairs`). In pockets where a is to leave b on a way, only those that push along it.
 */
export function listContacts(pair: usize, isDeep: boolean): void {
  const a: usize = load<u32>(pair + PAIR_A);
  const b: usize = load<u32>(pair + PAIR_B);
  store<u32>(pair + PAIR_CONTACTS, <u32>contactsAt);
  store<i32>(pair + PAIR_COUNT_A, listSide(a, b, 0, isDeep));
  store<i32>(pair + PAIR_COUNT_B, a == b ? 0 : listSide(b, a, 1, isDeep));
}

/** Takes the last contact back if it would hold bodies in each other that leave each other on a way. Whether it did. */
function takeBack(contact: usize, side: i32, way: v128): boolean {
  const along = dot3(v128.load(contact + NORMAL), way);
  if (side == 0 ? along >= 0 : along <= 0) return false;
  // The spare place was never taken.
  if (contact != contactsEnd) contactsAt = contact;
  return true;
}

/** Lists the candidates of a's vertices against b's triangles; returns how many contacts they make. */
function listSide(a: usize, b: usize, side: i32, isDeep: boolean): i32 {
  const touched = side == 0 ? touchedA : touchedB;
  const crossed: usize = load<u32>(a + BODY_CROSSED);
  const shift = sub4(splat4(0), offsetOf(a, b));
  let count = 0;
  for (let n = 0; n < touched; n++) {
    const vertex = touchedVertex(side, n);
    const candidate = candidateOf(side, vertex);
    const time = load<f32>(candidate + MEETING);
    const way = isDeep ? wayAt(side, vertex) : splat4(0);
    if (time >= DEEP) {
      if (time == DEEP) {
        listDeep(a, b, vertex, candidate, side, way, shift);
        count++;
      }
      continue;
    }
    // A body's own surface is kept on the side where it is, unless that is where it got to by passing through.
    const outside = a == b ? load<u8>(crossed + (vertex >> 4)) == 0 : load<f32>(candidate + HEIGHT) >= 0;
    if (a == b && sqrt(squareOf(candidate)) <= NO_DISTANCE * thickness) continue;
    const triangle: usize = load<u32>(candidate + TRIANGLE);
    count++;
    let contact = addContact(a, b, vertex, triangle, load<f32>(candidate + WEIGHT_B), load<f32>(candidate + WEIGHT_C));
    putNormal(contact, v128.load(candidate + OUTWARD), shift);
    const gap = load<f32>(candidate + OUTWARD_GAP);
    store<f32>(contact + GAP, gap < 0 && a != b ? gap + furtherPush(a, b, -OUT_SHARE * gap) : gap);
    store<f32>(contact + TIME, 0);
    if (takeBack(contact, side, way)) count--;
    const met: usize = load<u32>(candidate + MET_TRIANGLE);
    if (!outside || load<f32>(candidate + MEETING) > 1 || met == triangle) continue;
    count++;
    contact = addContact(a, b, vertex, met, load<f32>(candidate + MET_B), load<f32>(candidate + MET_C));
    store<f32>(contact + GAP, thickness);
    store<f32>(contact + TIME, load<f32>(candidate + MEETING));
    putNormal(contact, v128.load(candidate + MET_NORMAL), shift);
    if (takeBack(contact, side, way)) count--;
  }
  return count;
}

/** A vertex deep inside the other is stopped along the way on which it leaves it, and pushed out. */
function listDeep(a: usize, b: usize, vertex: usize, candidate: usize, side: i32, way: v128, shift: v128): void {
  const triangle: usize = load<u32>(candidate + TRIANGLE);
  const contact = addContact(a, b, vertex, triangle, load<f32>(candidate + WEIGHT_B), load<f32>(candidate + WEIGHT_C));
  store<f32>(contact + GAP, load<f32>(candidate + HEIGHT) + furtherPush(a, b, Infinity));
  store<f32>(contact + TIME, 0);
  putNormal(contact, f32x4.replace_lane(side == 0 ? way : sub4(splat4(0), way), 3, 0), shift);
}

/** How much further than by thicknesses what is inside another body is pushed out, by so much in all, bounded. */
function furtherPush(a: usize, b: usize, push: f32): f32 {
  const most = DEEP_PUSH * <f32>min(load<f64>(a + BODY_SIZE), load<f64>(b + BODY_SIZE));
  return max<f32>(0, min(most, push) - PUSH * thickness);
}

/** The normal and what it makes of the way between the frames: (x_a + shift − x_b)·n. */
// @ts-ignore: decorator
@inline export function putNormal(contact: usize, normal: v128, shift: v128): void {
  const friction = load<f32>(contact + NORMAL, 12);
  v128.store(contact + NORMAL, f32x4.replace_lane(normal, 3, friction));
  store<f32>(contact + SHIFT, dot3(normal, shift));
}

/** Room for a new contact with what its bodies have in common: the spare place where there is no other. */
export function newContact(a: usize, b: usize): usize {
  const contact = contactsAt;
  contactsAt = min(contact + CONTACT_BYTES, contactsEnd);
  store<f32>(contact + NORMAL, <f32>sqrt(load<f64>(a + BODY_FRICTION) * load<f64>(b + BODY_FRICTION)), 12);
  store<f32>(contact + RESTITUTION, <f32>max(load<f64>(a + BODY_RESTITUTION), load<f64>(b + BODY_RESTITUTION)));
  return contact;
}

function addContact(a: usize, b: usize, vertex: usize, triangle: usize, wb: f32, wc: f32): usize {
  const contact = newContact(a, b);
  store<u32>(contact + PARTICLES, <u32>vertex);
  store<u32>(contact + PARTICLES, load<u32>(triangle), 4);
  store<u32>(contact + PARTICLES, load<u32>(triangle, 4), 8);
  store<u32>(contact + PARTICLES, load<u32>(triangle, 8), 12);
  store<f32>(contact + WEIGHTS, 1);
  store<f32>(contact + WEIGHTS, wb + wc - 1, 4);
  store<f32>(contact + WEIGHTS, -wb, 8);
  store<f32>(contact + WEIGHTS, -wc, 12);
  store<f32>(contact + KEPT, thickness);
  paintFriction(contact, a, b, 4);
  return contact;
}

/** Scales the friction of a contact by what is painted on its sides: the particles up to `split` (bytes) are a's, the others b's. */
export function paintFriction(contact: usize, a: usize, b: usize, split: usize): void {
  if (load<u32>(a + BODY_FRICTIONS) == 0 && load<u32>(b + BODY_FRICTIONS) == 0) return;
  const factor = sqrt(meanFriction(contact, a, 0, split) * meanFriction(contact, b, split, 16));
  store<f32>(contact + NORMAL, load<f32>(contact + NORMAL, 12) * factor, 12);
}

function meanFriction(contact: usize, body: usize, from: usize, to: usize): f32 {
  const factors: usize = load<u32>(body + BODY_FRICTIONS);
  if (factors == 0) return 1;
  let sum: f32 = 0;
  let weight: f32 = 0;
  for (let c = from; c < to; c += 4) {
    const share = abs(load<f32>(contact + WEIGHTS + c));
    sum += share * load<f32>(factors + (<usize>load<u32>(contact + PARTICLES + c) >> 2));
    weight += share;
  }
  return weight > 0 ? sum / weight : 1;
}
