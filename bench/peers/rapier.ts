// Rapier's soft bodies: the vertices are particles, held by edges, dihedrals and one shape match, with a volume constraint.

import RAPIER from '@dimforge/rapier3d-compat';
import { type TriangleMesh, type Vec3, vertexCount } from '../../src/index.js';
import { massOf, type Peer, type PeerWorld } from './peer.js';
import { FLOOR, halfOf, PEER_WORLD, type PeerScene, plateAt, wallsOf } from './scene.js';

export interface RapierSettings {
  /** Of the volume constraint [Hz]; 30 unless set. */
  readonly volumeFrequency?: number;
  /** [m]; half of an edge, about, unless set. */
  readonly particleRadius?: number;
  /** Extra iterations per substep; 3 unless set. */
  readonly additionalPgsIterations?: number;
}

export function rapier(settings: RapierSettings, words: string): Peer {
  return { method: 'rapier', settings: words, build: (scene) => buildWorld(scene, settings) };
}

const vector = ([x, y, z]: Vec3) => new RAPIER.Vector3(x, y, z);

function describeBody(mesh: TriangleMesh, position: Vec3, settings: RapierSettings, sleeps = false) {
  const { volumeFrequency, particleRadius, additionalPgsIterations } = settings;
  const desc = RAPIER.SoftBodyDesc.trimesh(Float32Array.from(mesh.positions), mesh.triangles);
  if (desc?.numParticles() !== vertexCount(mesh)) throw new Error('the mesh was not taken as it is');
  const material = new RAPIER.SoftBodyMaterial();
  if (volumeFrequency !== undefined) material.volumeSoftness.naturalFrequency = volumeFrequency;
  if (particleRadius !== undefined) desc.setParticleRadius(particleRadius);
  if (additionalPgsIterations !== undefined) desc.setAdditionalPgsIterations(additionalPgsIterations);
  // The collider's shape is replaced by the mesh; it brings the friction.
  const collider = RAPIER.ColliderDesc.ball(1).setFriction(PEER_WORLD.friction);
  return desc
    .setMaterial(material)
    .setVolumePreservation(true)
    .setMass(massOf(mesh))
    .setSurfaceCollider(collider)
    .setTranslation(vector(position))
    .setCanSleep(sleeps);
}

async function buildWorld(scene: PeerScene, settings: RapierSettings): Promise<PeerWorld> {
  await RAPIER.init();
  const { gravity, timeStep, friction } = PEER_WORLD;
  const world = new RAPIER.World(vector(gravity));
  world.timestep = timeStep;
  const boxOf = (size: Vec3) => RAPIER.ColliderDesc.cuboid(...halfOf(size)).setFriction(friction);
  for (const { size, position } of [FLOOR, ...(scene.room === undefined ? [] : wallsOf(scene.room))]) {
    world.createCollider(boxOf(size).setTranslation(...position));
  }
  const { plate } = scene;
  const plateBody = plate && world.createRigidBody(RAPIER.RigidBodyDesc.kinematicPositionBased());
  if (plate && plateBody) {
    plateBody.setTranslation(vector(plateAt(plate, 0)), true);
    world.createCollider(boxOf(plate.size), plateBody);
  }
  const bodies = scene.bodies.map(({ mesh, position }) =>
    world.createSoftBody(describeBody(mesh, position, settings, scene.room !== undefined)),
  );
  let steps = 0;
  return {
    step() {
      steps++;
      if (plate) plateBody?.setNextKinematicTranslation(vector(plateAt(plate, steps)));
      world.step();
    },
    positions: (body) => bodies[body].particlePositions(),
    dispose: () => world.free(),
  };
}
