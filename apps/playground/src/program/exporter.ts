// Files of what is on the screen.

import { writeMeshes } from 'isochore';
import type { ExportKind } from '../protocol.js';
import type { Simulation } from './simulation.js';

export async function exportFile(
  simulation: Simulation,
  kind: ExportKind,
  seconds: number,
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const stem = simulation.opened.title.replace(/\.[^.]+$/, '').replace(/[^\w-]+/g, '-') || 'isochore';
  if (kind === 'scene.json') {
    const text = `${JSON.stringify(simulation.applied, null, 2)}\n`;
    return { name: `${stem}.json`, bytes: new TextEncoder().encode(text) };
  }
  if (kind === 'animation.glb') {
    const { writeAnimation } = await import('./animation-file.js');
    const bytes = await writeAnimation(simulation, seconds);
    return { name: `${stem}-animation.glb`, bytes };
  }
  const meshes = simulation.bodies.map(({ name, positions, mesh }) => ({
    name,
    mesh: { positions: Float64Array.from(positions), triangles: mesh.triangles },
  }));
  const name = `${stem}.${kind === 'pose.glb' ? 'glb' : 'obj'}`;
  return { name, bytes: (await writeMeshes(meshes, name)) as Uint8Array<ArrayBuffer> };
}
