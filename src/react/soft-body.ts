// A mesh or a loaded model made soft: what is inside says what it looks like and where it begins.

import { createPortal, type ThreeElements, useThree } from '@react-three/fiber';
import { createElement, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Group } from 'three';
import { type FromObject3DOptions, fromObject3D, type SoftObject } from '../three/from-object3d.js';
import type { WorkerContactEvent } from '../worker/frame-reader.js';
import type { WorkerBody } from '../worker/worker-body.js';
import type { Body } from '../world/body.js';
import type { BodyChanges } from '../world/body-settings.js';
import type { ContactEvent } from '../world/contact-events.js';
import type { World } from '../world/world.js';
import { useRaisedError } from './raised-error.js';
import { type SoftScene, useSoftScene } from './soft-context.js';
import { WatchedGeometries } from './watched-geometries.js';

/** What the ref of a `<SoftBody>` holds. */
export type SoftHandle = SoftObject<Body> | SoftObject<WorkerBody>;

type Placed = Pick<ThreeElements['group'], 'position' | 'rotation' | 'quaternion' | 'scale'>;

/** What a body can be set to while it lives. */
type Live = Pick<
  BodyChanges,
  'stiffness' | 'damping' | 'volume' | 'friction' | 'restitution' | 'selfContact' | 'group' | 'collidesWith'
>;

/** What a `<SoftBody>` takes. */
export interface SoftBodyProps
  extends Placed,
    Live,
    Pick<
      FromObject3DOptions,
      'name' | 'solver' | 'vertices' | 'parts' | 'refine' | 'weldTolerance' | 'density' | 'velocity' | 'spin'
    >,
    Pick<ThreeElements['group'], 'onClick' | 'onPointerDown' | 'onPointerUp' | 'onPointerOver' | 'onPointerOut'> {
  readonly ref?: Ref<SoftHandle | null>;
  /** Called with its contacts. */
  readonly onContact?: (event: ContactEvent | WorkerContactEvent) => void;
  /** Called when it is there. */
  readonly onReady?: (soft: SoftHandle) => void;
  readonly children?: ReactNode;
}

/**
 * Makes the meshes inside soft, where they are. Its `ref` is the `SoftObject`, null until it is there.
 *
 * @example
 * ```ts
 * const { createElement } = await import('react');
 * // <SoftBody position={[0, 2, 0]}><mesh> … </mesh></SoftBody>
 * const body = createElement(SoftBody, { position: [0, 2, 0], stiffness: 0.5 }, createElement('mesh'));
 * console.log(body.props.stiffness);
 * ```
 */
export function SoftBody(props: SoftBodyProps): ReactNode {
  const { ref, onContact, onReady, children, position, rotation, quaternion, scale } = props;
  const scene = useSoftScene();
  const root = useThree((state) => state.scene);
  const source = useRef<Group>(null);
  const [soft, setSoft] = useState<SoftHandle>();
  /** Counts up when what is inside has changed. */
  const [look, setLook] = useState(0);
  const raise = useRaisedError();
  const latest = useRef({ onContact, onReady, props });
  latest.current = { onContact, onReady, props };
  useImperativeHandle<SoftHandle | null, SoftHandle | null>(ref, () => soft ?? null, [soft]);

  const rest = JSON.stringify([
    props.solver?.type,
    props.solver?.settings,
    props.vertices,
    props.parts,
    props.refine,
    props.density,
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rest` and `look` stand for what it is made of
  useEffect(() => {
    const group = source.current;
    if (!group) return;
    let mounted = true;
    let made: SoftHandle | undefined;
    const watched = new WatchedGeometries(group);
    const ends = [
      scene.join({
        before: () => {
          if (watched.isOld) setLook((count) => count + 1);
        },
      }),
    ];
    const settle = (ready: SoftHandle): void => {
      if (!mounted) {
        ready.dispose();
        return;
      }
      made = ready;
      ends.push(
        showIn(scene, ready),
        listenTo(scene, ready, (event) => latest.current.onContact?.(event)),
      );
      setSoft(ready);
      latest.current.onReady?.(ready);
    };
    if (!watched.isEmpty)
      fromObject3D(group, scene.world as World, optionsOf(latest.current.props)).then(settle, (error) => {
        // A world that was taken away meanwhile refuses everything.
        if (mounted && !scene.world.disposed) raise(error);
      });
    return () => {
      mounted = false;
      for (const end of ends) end();
      setSoft(undefined);
      made?.dispose();
    };
  }, [scene, rest, look, raise]);
  // Once its ref is what it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: others look again whenever it is another one
  useEffect(() => {
    scene.changed();
    return () => scene.changed();
  }, [scene, soft]);

  const live = liveOf(props);
  const liveText = JSON.stringify(live);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the settings
  useEffect(() => {
    if (liveText === '{}') return;
    for (const body of soft?.bodies ?? []) if (!body.removed) body.set(live);
    scene.invalidate();
  }, [soft, liveText, scene]);

  const placed = { position, rotation, quaternion, scale };
  useNewPlace(soft, source, JSON.stringify(placed));
  const { onClick, onPointerDown, onPointerUp, onPointerOver, onPointerOut } = props;
  const handlers = { onClick, onPointerDown, onPointerUp, onPointerOver, onPointerOut };
  return createElement(
    'group',
    { ...defined(placed), ref: source, visible: false },
    children,
    // In the scene itself: bodies say where they are in the world.
    soft && createPortal(createElement('primitive', { ...defined(handlers), object: soft, dispose: null }), root),
  );
}

/** Puts the bodies elsewhere, at rest, where the props say another place than before. */
function useNewPlace(soft: SoftHandle | undefined, source: { readonly current: Group | null }, place: string): void {
  const known = useRef({ soft, place });
  useEffect(() => {
    const before = known.current;
    known.current = { soft, place };
    const group = source.current;
    if (!soft || !group || before.soft !== soft || before.place === place) return;
    group.updateWorldMatrix(true, false);
    const frame = frameOf(group);
    for (const body of soft.bodies) if (!body.removed) body.reset(frame);
  }, [soft, source, place]);
}

function frameOf(group: Group) {
  const [position, turn] = [group.position.clone(), group.quaternion.clone()];
  group.getWorldPosition(position);
  group.getWorldQuaternion(turn);
  return {
    position: [position.x, position.y, position.z] as const,
    rotation: [turn.x, turn.y, turn.z, turn.w] as const,
  };
}

/** Shows the bodies with each picture, in the materials that their meshes have. */
function showIn(scene: SoftScene, soft: SoftHandle): () => void {
  return scene.join({
    after: () => {
      soft.meshes.forEach((mesh, n) => {
        const { material } = soft.sources[n];
        if (mesh.material !== material) mesh.material = material;
        mesh.update(scene.interpolate ? undefined : mesh.source.positions);
      });
    },
  });
}

function listenTo(
  scene: SoftScene,
  soft: SoftHandle,
  callback: (event: ContactEvent | WorkerContactEvent) => void,
): () => void {
  const world = scene.world as World;
  const ends = (soft.bodies as readonly Body[]).map((body) => world.onContact(body, callback));
  return () => {
    for (const end of ends) end();
  };
}

const LIVE = [
  ...(['stiffness', 'damping', 'volume'] as const),
  ...(['friction', 'restitution', 'selfContact', 'group', 'collidesWith'] as const),
];

const liveOf = (props: SoftBodyProps): Live =>
  defined(Object.fromEntries(LIVE.map((name) => [name, props[name]]))) as Live;

function optionsOf(props: SoftBodyProps): FromObject3DOptions {
  const { name, solver, vertices, parts, refine, weldTolerance, density, velocity, spin } = props;
  return defined({ name, solver, vertices, parts, refine, weldTolerance, density, velocity, spin });
}

const defined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
