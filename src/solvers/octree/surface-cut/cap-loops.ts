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

/** Goes from the end of each chain counter-clockwise along the border to the next start, by the domain's corners. */
function closeChains(chains: readonly Chain[], vertices: CutVertices): CapLoop[] {
  const { domain } = vertices.patch;
  const cornerCount = domain.length / 2;
  const events = chains.flatMap((chain) => [
    { chain, isStart: true, at: chain.start.edge + chain.start.along },
    { chain, isStart: false, at: chain.end.edge + chain.end.along },
  ]);
  events.sort((a, b) => a.at - b.at);
  // Two sides of an older cut may meet the border in one place: in which order is for them to alternate.
  for (let k = 1; k + 1 < events.length; k++) {
    const [before, here, next] = [events[k - 1], events[k], events[k + 1]];
    if (here.isStart === before.isStart && here.at === next.at && next.isStart !== before.isStart) {
      [events[k], events[k + 1]] = [next, here];
    }
  }
  const following = new Map<Chain, { chain: Chain; corners: number[] }>();
  events.forEach((event, k) => {
    const next = events[(k + 1) % events.length];
    if (event.isStart === next.isStart) throw new CutFailure('lines of the surface do not alternate along the cut');
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
