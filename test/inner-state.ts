// A body in a backend of its own, to look at what is not shown: the solver's own velocities and what they touch. The same
// questions for every backend.

import type { BackendBody } from '../src/backends/backend.js';
import { ReferenceBackend } from '../src/backends/reference/reference-backend.js';
import * as layout from '../src/backends/wasm/layout.js';
import { WasmMemory } from '../src/backends/wasm/memory.js';
import { inlinedModule } from '../src/backends/wasm/modules.js';
import { createWasmBackend, WasmBackend } from '../src/backends/wasm/wasm-backend.js';
import type { WasmBody } from '../src/backends/wasm/wasm-body.js';
import { acquireDevice } from '../src/backends/webgpu/gpu-device.js';
import { WebGpuBackend } from '../src/backends/webgpu/webgpu-backend.js';
import type { Obstacle } from '../src/contact/obstacles/obstacle.js';
import { stopApproaching } from '../src/contact/obstacles/obstacle-contact.js';
import { createParticleContacts, type ParticleContacts } from '../src/contact/particle-contacts.js';
import { type PreparedSurface, type Vec3, vertexNormals } from '../src/index.js';
import { Pipeline } from '../src/world/pipeline.js';
import { ON_GPU, type TestedBackend } from './both-backends.js';

/** The particles in path order. */
export interface InnerState {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly contacts: ParticleContacts;
}

function placeAt(body: BackendBody, { mesh }: PreparedSurface, height: number): void {
  body.place(
    mesh.positions.map((x, k) => (k % 3 === 1 ? x + height : x)),
    [0, 0, 0, 1],
  );
}

function stepperOf(pipeline: Pipeline, colliders: readonly Obstacle[]): (gravity: Vec3) => Promise<void> {
  let time = 0;
  return async (gravity) => {
    pipeline.step({ gravity, time, timeStep: 0.005, colliders, joints: [] });
    time += 0.005;
  };
}

/** Places a body, and gives a step and its inner state. */
export async function lookInside(
  tested: TestedBackend,
  prepared: PreparedSurface,
  height: number,
  colliders: readonly Obstacle[],
) {
  if (ON_GPU && tested === 'wasm') return lookInsideGpu(prepared, height, colliders);
  const memory = new WasmMemory(new WebAssembly.Memory({ initial: 64, maximum: 65536 }));
  const backend = tested === 'wasm' ? new WasmBackend(await inlinedModule(false), memory, 1) : new ReferenceBackend();
  const pipeline = new Pipeline(backend);
  const body = backend.add(prepared, 1000);
  placeAt(body, prepared, height);
  const step = stepperOf(pipeline, colliders);
  const inner = async (): Promise<InnerState> =>
    'record' in body
      ? readWasmState(memory, body)
      : {
          positions: body.particles.positions,
          velocities: body.particles.velocities.slice(),
          contacts: body.contacts,
        };
  return { body, step, inner };
}

/** The same on WebGPU. */
export async function lookInsideGpu(prepared: PreparedSurface, height: number, colliders: readonly Obstacle[]) {
  const { testDevice } = await import('./gpu/gpu-world.js');
  const host = await createWasmBackend({ threads: 1 });
  const backend = new WebGpuBackend({ ...(await acquireDevice(await testDevice())), timestamps: false }, host);
  const pipeline = new Pipeline(backend);
  const body = backend.add(prepared, 1000) as WasmBody;
  placeAt(body, prepared, height);
  const enqueue = stepperOf(pipeline, colliders);
  let stepped = false;
  const step = async (gravity: Vec3) => {
    stepped = true;
    await enqueue(gravity);
    await backend.sync();
    pipeline.finish();
  };
  const { count } = prepared.particles;
  const read = async (name: string, stride = 1, offset = 0): Promise<Float64Array> => {
    const words = new Float32Array(await backend.read(name));
    return Float64Array.from(
      { length: 3 * count },
      (_, k) => words[4 * (stride * Math.trunc(k / 3) + offset) + (k % 3)],
    );
  };
  const inner = async (): Promise<InnerState> => {
    const contacts = createParticleContacts(count);
    // Buffers are made with the first step; until then it lies still.
    if (!stepped)
      return { positions: prepared.particles.mesh.positions, velocities: new Float64Array(3 * count), contacts };
    contacts.normals.set(await read('contacts', 4));
    contacts.surfaceVelocities.set(await read('contacts', 4, 1));
    const words = new Float32Array(await backend.read('contacts'));
    for (let i = 0; i < count; i++) {
      contacts.frictions[i] = words[16 * i + 3];
      contacts.colliding[i] = words[16 * i + 7] > 0 ? 1 : 0;
    }
    return { positions: await read('positions'), velocities: await read('velocities'), contacts };
  };
  return { body, step, inner };
}

function readWasmState(memory: WasmMemory, { record, prepared }: WasmBody): InnerState {
  const { count } = prepared.particles;
  const pointer = (field: number) => memory.integers(record + field, 1)[0];
  const vectors = (field: number) => {
    const packed = memory.floats(pointer(field), 4 * count);
    return Float64Array.from({ length: 3 * count }, (_, k) => packed[4 * Math.trunc(k / 3) + (k % 3)]);
  };
  const contacts = createParticleContacts(count);
  contacts.colliding.set(memory.bytes(pointer(layout.BODY_COLLIDING), count));
  contacts.normals.set(vectors(layout.BODY_CONTACT_NORMALS));
  contacts.surfaceVelocities.set(vectors(layout.BODY_SURFACE_VELOCITIES));
  const packed = memory.floats(pointer(layout.BODY_CONTACT_NORMALS), 4 * count);
  for (let i = 0; i < count; i++) contacts.frictions[i] = packed[4 * i + 3];
  return { positions: vectors(layout.BODY_POSITIONS), velocities: vectors(layout.BODY_VELOCITIES), contacts };
}

/** |Σ v·n̄| of the solver's velocities, as far as obstacles let them pass, relative to the size of its terms. */
export function fluxError({ positions, velocities, contacts }: InnerState, triangles: Uint32Array): number {
  const normals = vertexNormals(positions, triangles);
  stopApproaching(contacts, velocities);
  let flux = 0;
  let scale = 0;
  for (let k = 0; k < normals.length; k++) {
    flux += normals[k] * velocities[k];
    scale += Math.abs(normals[k] * velocities[k]);
  }
  return scale > 0 ? Math.abs(flux) / scale : 0;
}
