// Real meshes for tests live beside the project, never in it. Tests that use them say when they are skipped.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../shared/meshes/', import.meta.url));

/** Whether `../shared/meshes` is there. */
export const sharedMeshesAvailable = existsSync(folder);

/** Absolute path of a file such as `closed/torus_400.obj`. */
export const sharedMeshPath = (name: string): string => `${folder}${name}`;

export const readSharedMesh = (name: string): Uint8Array => readFileSync(sharedMeshPath(name));
