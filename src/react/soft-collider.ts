// Obstacles: of the meshes inside, which are shown as they are, or of a shape.

import type { ThreeElements } from '@react-three/fiber';
import { createElement, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Group } from 'three';
import type { ColliderOptions } from '../contact/obstacles/collider-options.js';
import { type ColliderFromOptions, colliderFrom } from '../three/collider-from.js';
import type { WorkerContactEvent } from '../worker/frame-reader.js';
import type { WorkerCollider } from '../worker/worker-collider.js';
import type { Collider } from '../world/collider.js';
import type { ContactEvent } from '../world/contact-events.js';
import type { World } from '../world/world.js';
import { useSoftScene } from './soft-context.js';
import { WatchedGeometries } from './watched-geometries.js';

/** What a `<SoftCollider>` takes. */
export interface SoftColliderProps
  extends ColliderFromOptions,
    Pick<ThreeElements['group'], 'position' | 'rotation' | 'quaternion' | 'scale'> {
  readonly ref?: Ref<SoftColliderHandle | null>;
  /** An obstacle that is not to be seen: `shape={{ shape: 'plane', normal: [0, 1, 0] }}`. */
  readonly shape?: ColliderOptions;
  /** Called with its contacts. */
  readonly onContact?: (event: ContactEvent | WorkerContactEvent) => void;
  readonly children?: ReactNode;
}

/** What the ref of a `<SoftCollider>` holds. */
export interface SoftColliderHandle {
  readonly colliders: readonly (Collider | WorkerCollider)[];
}

/**
 * Makes obstacles of the meshes inside; they follow them wherever they go.
 *
 * @example
 * ```ts
 * const { createElement } = await import('react');
 * // <SoftCollider><mesh> … </mesh></SoftCollider>, or without anything to be seen:
 * const floor = createElement(SoftCollider, { shape: { shape: 'plane', normal: [0, 1, 0] } });
 * console.log(floor.props.shape);
 * ```
 */
export function SoftCollider(props: SoftColliderProps): ReactNode {
  const { ref, shape, onContact, children, position, rotation, quaternion, scale } = props;
  const { name, friction, restitution, group, collidesWith, sensor } = props;
  const scene = useSoftScene();
  const source = useRef<Group>(null);
  const [handle, setHandle] = useState<SoftColliderHandle>();
  const [look, setLook] = useState(0);
  const latest = useRef({ onContact, shape });
  latest.current = { onContact, shape };
  useImperativeHandle<SoftColliderHandle | null, SoftColliderHandle | null>(ref, () => handle ?? null, [handle]);

  const text = JSON.stringify([shape, name, sensor]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` and `look` stand for what it is made of
  useEffect(() => {
    const world = scene.world as World;
    const object = source.current;
    const given = latest.current.shape;
    if (world.disposed || !object) return;
    const watched = new WatchedGeometries(object);
    const ends: (() => void)[] = [];
    const options = { name, sensor };
    let colliders: readonly Collider[] = [];
    if (given) {
      colliders = [world.addCollider({ ...defined(options), ...given })];
      ends.push(() => {
        for (const collider of colliders) if (!collider.removed) world.remove(collider);
      });
    } else if (!watched.isEmpty) {
      const made = colliderFrom(object, world, defined(options));
      colliders = made.colliders;
      ends.push(
        scene.join({
          before: () => {
            if (watched.isOld) setLook((count) => count + 1);
            else made.update();
          },
        }),
        () => made.dispose(),
      );
    } else {
      // Something may come later, such as a model that is being loaded.
      ends.push(scene.join({ before: () => void (watched.isOld && setLook((count) => count + 1)) }));
    }
    ends.push(...colliders.map((one) => world.onContact(one, (event) => latest.current.onContact?.(event))));
    setHandle({ colliders });
    return () => {
      for (const end of ends) end();
      setHandle(undefined);
    };
  }, [scene, text, look]);
  // Once its ref is what it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: others look again whenever it is another one
  useEffect(() => {
    scene.changed();
    return () => scene.changed();
  }, [scene, handle]);

  useEffect(() => {
    for (const one of handle?.colliders ?? [])
      if (!one.removed) Object.assign(one, defined({ friction, restitution, group, collidesWith }));
    scene.invalidate();
  }, [handle, friction, restitution, group, collidesWith, scene]);

  return createElement('group', { ...defined({ position, rotation, quaternion, scale }), ref: source }, children);
}

const defined = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
