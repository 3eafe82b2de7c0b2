// Rapier's finite elements: a neo-Hookean material in one linear system per substep, with the volume of the whole kept or not.

import RAPIER from '@dimforge/rapier3d-compat';
import { DROP, type SolidPeer, surfaceOf, volumeOf } from '../solid-drop.js';

export interface RapierFemSettings {
  readonly poissonRatio: number;
  /** Of the constraint on the volume of the whole [Hz]; without it there is none. */
  readonly volumeFrequency?: number;
}

/** Of a particle [m]: contact keeps it off the floor. */
const RADIUS = 0.01;

export const rapierFem = ({ poissonRatio, volumeFrequency }: RapierFemSettings, words: string): SolidPeer => ({
  method: 'rapier-fem',
  settings: words,
  async build(mesh) {
    await RAPIER.init();
    const material = new RAPIER.SoftBodyMaterial();
    material.youngModulus = DROP.youngsModulus;
    material.poissonRatio = poissonRatio;
    if (volumeFrequency !== undefined) material.volumeSoftness.naturalFrequency = volumeFrequency;
    const desc = new RAPIER.SoftBodyDesc(Float32Array.from(mesh.positions))
      .setMaterial(material)
      .setCells(mesh.tetrahedra)
      .setSurface(surfaceOf(mesh))
      .setCellModel(RAPIER.SoftBodyCellModel.NeoHookean)
      .setSolver(RAPIER.SoftBodySolver.Fem)
      .setMass(DROP.density * volumeOf(mesh.positions, mesh))
      .setParticleRadius(RADIUS)
      .setVolumePreservation(volumeFrequency !== undefined)
      .setSurfaceCollider(RAPIER.ColliderDesc.ball(1).setFriction(DROP.friction))
      .setTranslation(new RAPIER.Vector3(0, DROP.radius + RADIUS, 0))
      .setCanSleep(false);
    const world = new RAPIER.World(new RAPIER.Vector3(0, DROP.gravity, 0));
    world.timestep = DROP.timeStep;
    world.createCollider(RAPIER.ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1, 0).setFriction(DROP.friction));
    const body = world.createSoftBody(desc);
    const speed = new RAPIER.Vector3(0, -DROP.speed, 0);
    for (let i = 0; i < mesh.positions.length / 3; i++) body.setParticleVelocity(i, speed);
    return { step: () => world.step(), positions: () => body.particlePositions(), dispose: () => world.free() };
  },
});
