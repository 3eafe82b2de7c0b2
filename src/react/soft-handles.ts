// What holds and drags bodies, as components: they hold from when all that they are about is there until they are unmounted.

import { useThree } from '@react-three/fiber';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Vec3 } from '../math/vec3.js';
import type { VertexRegion } from '../mesh/select-vertices.js';
import { Grab, type GrabOptions } from '../three/grab.js';
import type { Body } from '../world/body.js';
import type { Collider } from '../world/collider.js';
import type { World } from '../world/world.js';
import type { SoftHandle } from './soft-body.js';
import type { SoftColliderHandle } from './soft-collider.js';
import { type SoftScene, useSoftScene, useSoftThings } from './soft-context.js';

/** A ref of a `<SoftBody>` or a `<SoftCollider>`. */
export interface SoftRef {
  readonly current: SoftHandle | SoftColliderHandle | null;
}

/** The bodies, or the colliders, of a ref. */
export const thingsOf = (ref: SoftRef | undefined): readonly (Body | Collider)[] =>
  !ref?.current
    ? []
    : (('bodies' in ref.current ? ref.current.bodies : ref.current.colliders) as readonly (Body | Collider)[]);

/** The vertices of a body in a region, or all of them. */
const chooseVertices = (body: Body, region: VertexRegion | undefined): number[] =>
  region ? body.select(region) : Array.from({ length: body.particleCount }, (_, vertex) => vertex);

/** What a `<SoftAttachment>` takes. */
export interface SoftAttachmentProps {
  readonly body: SoftRef;
  /** What it is attached to. */
  readonly to: SoftRef;
  /** The vertices by their place in the mesh at rest; all unless set. */
  readonly select?: VertexRegion;
  /** Force beyond which it breaks [N]. */
  readonly breakForce?: number;
}

/**
 * Attaches a body to a collider or to another body.
 *
 * @example
 * ```ts
 * const { createElement, createRef } = await import('react');
 * const [lamp, ceiling] = [createRef<never>(), createRef<never>()];
 * // <SoftAttachment body={lamp} to={ceiling} />
 * console.log(createElement(SoftAttachment, { body: lamp, to: ceiling, breakForce: 500 }));
 * ```
 */
export function SoftAttachment({ body, to, select, breakForce }: SoftAttachmentProps): ReactNode {
  const scene = useSoftThings();
  const [first] = thingsOf(body) as readonly Body[];
  const [other] = thingsOf(to);
  const region = JSON.stringify(select);
  const chosen = useRef(select);
  chosen.current = select;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the region
  useEffect(() => {
    const world = scene.world as World;
    if (!first || !other || first.removed || other.removed || world.disposed) return;
    const attachment = world.attach(first, chooseVertices(first, chosen.current), other, { breakForce });
    return () => {
      if (!world.disposed) attachment.detach();
    };
  }, [scene, first, other, region, breakForce]);
  return null;
}

/** What a `<SoftPin>` takes. */
export interface SoftPinProps {
  readonly body: SoftRef;
  readonly select?: VertexRegion;
  /** Where the centre of the pinned set goes [m]; where it is unless set. */
  readonly position?: Vec3;
}

/**
 * Pins vertices of a body.
 *
 * @example
 * ```ts
 * const { createElement, createRef } = await import('react');
 * const flag = createRef<never>();
 * // <SoftPin body={flag} select={{ box: [[-1, 0.9, -1], [1, 1, 1]] }} />
 * console.log(createElement(SoftPin, { body: flag, position: [0, 2, 0] }));
 * ```
 */
export function SoftPin({ body, select, position }: SoftPinProps): ReactNode {
  const scene = useSoftThings();
  const [first] = thingsOf(body) as readonly Body[];
  const region = JSON.stringify(select);
  const chosen = useRef(select);
  chosen.current = select;
  const pin = useRef<ReturnType<Body['pin']>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the region
  useEffect(() => {
    if (!first || first.removed || scene.world.disposed) return;
    const made = first.pin(chooseVertices(first, chosen.current));
    pin.current = made;
    return () => {
      pin.current = undefined;
      if (!first.removed) first.unpin(made);
    };
  }, [scene, first, region]);
  const [x, y, z] = position ?? [];
  useEffect(() => {
    if (x !== undefined && y !== undefined && z !== undefined && first && pin.current?.held)
      pin.current.moveTo([x, y, z]);
    scene.invalidate();
  }, [scene, first, x, y, z]);
  return null;
}

/**
 * Lets the mouse or fingers drag bodies.
 *
 * @example
 * ```ts
 * const { createElement } = await import('react');
 * // <SoftGrab />, inside of <SoftPhysics>
 * console.log(createElement(SoftGrab, { radius: 0.3 }));
 * ```
 */
export function SoftGrab(options: GrabOptions): ReactNode {
  const scene = useSoftScene();
  const camera = useThree((state) => state.camera);
  const root = useThree((state) => state.scene);
  const element = useThree((state) => state.gl.domElement);
  const { radius, button } = options;
  useEffect(
    () => grabIn(scene, new Grab(camera, element, root, { radius, button })),
    [scene, camera, element, root, radius, button],
  );
  return null;
}

/** What is dragged on demand is drawn. */
function grabIn(scene: SoftScene, grab: Grab): () => void {
  const { invalidate } = scene;
  for (const type of ['grab', 'move', 'release'] as const) grab.addEventListener(type, invalidate);
  return () => grab.dispose();
}
