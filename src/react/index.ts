/**
 * Soft bodies in react-three-fiber.
 * @module isochore/react
 */

export { useAfterStep, useBeforeStep, useContact, useSoftWorld } from './hooks.js';
export { SoftBody, type SoftBodyProps, type SoftHandle } from './soft-body.js';
export { SoftCollider, type SoftColliderHandle, type SoftColliderProps } from './soft-collider.js';
export type { SoftWorld } from './soft-context.js';
export {
  SoftAttachment,
  type SoftAttachmentProps,
  SoftGrab,
  SoftPin,
  type SoftPinProps,
  type SoftRef,
} from './soft-handles.js';
export { SoftPhysics, type SoftPhysicsProps } from './soft-physics.js';
