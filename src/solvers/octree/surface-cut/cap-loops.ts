// From the segments where patch and surface meet to the loops around the cut faces: chains of segments, closed along the
// domain's border where they end there.

import { CutFailure } from './cut-failure.js';
import type { CapVertex, CutVertices } from './cut-vertices.js';
import type { Segment, SegmentEnd } from './open-surface.js';

/** Corners in order, the cut face on the left seen from above. */
export interface CapLoop {
  readonly corners: readonly CapVertex[];
  /** Whether some of it is on the surface: a face that nothing of is would be an invisible pocket. */
  readonly isOnSurface: boolean;
}

/** @param isInside whether a point of the patch is in the solid; asked only where no segment reaches the border. */
export function findLoops(
  segments: readonly Segment[],
  vertices: CutVertices,
  isInside: (u: number, v: number) => boolean,
): CapLoop[] {
  const { loops, chains } = chainSegments(segments);
  const closed = loops.map((corners) => ({ corners, isOnSurface: true }));
  if (chains.length > 0) return [...closed, ...closeChains(chains, vertices)];
  const { domain } = vertices.patch;
  if (!isInside(domain[0], domain[1])) return closed;
  const corners = Array.from({ length: domain.length / 2 }, (_, k) =>
    vertices.addOnPatch(domain[2 * k], domain[2 * k + 1], false),
  );
  // Without a face around it, a loop of the surface would be a hole in nothing.
  return closed.length === 0 ? [] : [...closed, { corners, isOnSurface: false }];
}

interface Chain {
  readonly corners: CapVertex[];
  readonly start: NonNullable<SegmentEnd['border']>;
  readonly end: NonNullable<SegmentEnd['border']>;
}

function chainSegments(segments: readonly Segment[]) {
  const after = new Map<CapVertex, Segment>();
  for (const segment of segments) if (!segment.from.border) after.set(segment.from.vertex, segment);
  const used = new Set<Segment>();
  const follow = (first: Segment): { corners: CapVertex[]; last: Segment } => {
    const corners = [first.from.vertex];
    let last = first;
    used.add(first);
    while (!last.to.border) {
      const next = after.get(last.to.vertex);
      if (!next) throw new CutFailure('a line of the surface along the cut ends nowhere');
      if (used.has(next)) break;
      corners.push(next.from.vertex);
      used.add(next);
      last = next;
    }
    return { corners, last };
  };
  const chains: Chain[] = [];
  for (const segment of segments) {
    if (!segment.from.border) continue;
    const { corners, last } = follow(segment);
    if (!last.to.border) throw new CutFailure('a line of the surface enters the cut and does not leave it');
    chains.push({ corners: [...corners, last.to.vertex], start: segment.from.border, end: last.to.border });
  }
  const loops: CapVertex[][] = [];
  for (const segment of segments) if (!used.has(segment)) loops.push(follow(segment).corners);
  return { chains, loops };
}

/** Where a chain starts or ends along the border. */
interface BorderEvent {
  readonly chain: Chain;
  readonly isStart: boolean;
  readonly at: number;
}

/**
 * Events nearer than this along the border, in edges of it, are in one place: the two sides of an older cut, to rounding. On bent patches
 * the two may be of different triangles and farther apart; where nothing alternates otherwise, such are tried.
 */
const SAME_PLACE = [1e-9, 1e-6, 1e-4, 1e-2] as const;

/**
 * Events in their order along the border, starts and ends by turns. Of those in one place a start comes first, where that
 * can be: between the two is the slit of an older cut, which has no width, and not matter without width.
 */
function alternate(events: readonly BorderEvent[]): BorderEvent[] {
  const sorted = [...events].sort((a, b) => a.at - b.at);
  for (const near of SAME_PLACE) {
    const order = alternateWithin(sorted, near);
    if (order) return order;
  }
  throw new CutFailure('lines of the surface do not alternate along the cut');
}

/** The same with events in one place that are nearer than a distance; undefined where there is no such order. */
function alternateWithin(sorted: readonly BorderEvent[], near: number): BorderEvent[] | undefined {
  const groups: BorderEvent[][] = [];
  for (const event of sorted) {
    const last = groups.at(-1);
    if (last && event.at - last[0].at < near) last.push(event);
    else groups.push([event]);
  }
  const tries = [true, false].map((isStartFirst) => {
    const order: BorderEvent[] = [];
    let slits = 0;
    for (const group of groups) {
      const left = [...group];
      if (group.length > 1 && order.length % 2 === (isStartFirst ? 0 : 1)) slits++;
      while (left.length > 0) {
        const wanted = (order.length % 2 === 0) === isStartFirst;
        const found = left.findIndex(({ isStart }) => isStart === wanted);
        if (found < 0) return undefined;
        order.push(...left.splice(found, 1));
      }
    }
    return { order, slits };
  });
  const possible = tries.filter((one) => one !== undefined).sort((a, b) => b.slits - a.slits);
  return possible[0]?.order;
}

/** Goes from the end of each chain counter-clockwise along the border to the next start, by the domain's corners. */
function closeChains(chains: readonly Chain[], vertices: CutVertices): CapLoop[] {
  const { domain } = vertices.patch;
  const cornerCount = domain.length / 2;
  const events = alternate(
    chains.flatMap((chain) => [
      { chain, isStart: true, at: chain.start.edge + chain.start.along },
      { chain, isStart: false, at: chain.end.edge + chain.end.along },
    ]),
  );
  const following = new Map<Chain, { chain: Chain; corners: number[] }>();
  events.forEach((event, k) => {
    const next = events[(k + 1) % events.length];
    if (event.isStart) return;
    const corners: number[] = [];
    const [from, to] = [event.chain.end.edge, next.chain.start.edge];
    const isAround = from === to && k + 1 === events.length;
    for (let edge = from; edge !== to || (isAround && corners.length === 0); ) {
      edge = (edge + 1) % cornerCount;
      corners.push(edge);
    }
    following.set(event.chain, { chain: next.chain, corners });
  });
  const cornerVertices = new Map<number, CapVertex>();
  const cornerVertex = (k: number): CapVertex => {
    const vertex = cornerVertices.get(k) ?? vertices.addOnPatch(domain[2 * k], domain[2 * k + 1], false);
    cornerVertices.set(k, vertex);
    return vertex;
  };
  const loops: CapLoop[] = [];
  const used = new Set<Chain>();
  for (const first of chains) {
    if (used.has(first)) continue;
    const corners: CapVertex[] = [];
    let chain = first;
    do {
      used.add(chain);
      corners.push(...chain.corners);
      const next = following.get(chain) as { chain: Chain; corners: number[] };
      corners.push(...next.corners.map(cornerVertex));
      chain = next.chain;
    } while (!used.has(chain));
    if (chain !== first) throw new CutFailure('lines of the surface do not close along the cut');
    loops.push({ corners, isOnSurface: true });
  }
  return loops;
}
