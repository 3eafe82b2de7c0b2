// Keeps a geometry's box and sphere right while its vertices move: three.js culls and casts rays by them.

import { Box3, type BufferGeometry, Sphere } from 'three';

/** Sets the box, and the sphere about its centre, of x, y, z each. Points that are not finite do not count. */
export function updateBounds(geometry: BufferGeometry, positions: Float32Array): void {
  geometry.boundingBox ??= new Box3();
  geometry.boundingSphere ??= new Sphere();
  // In numbers of its own: the first time it runs it is interpreted, and lists and fields then cost milliseconds.
  let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity];
  let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity];
  const { length } = positions;
  for (let k = 0; k + 2 < length; k += 3) {
    const x = positions[k];
    const y = positions[k + 1];
    const z = positions[k + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  geometry.boundingBox.min.set(lowX, lowY, lowZ);
  geometry.boundingBox.max.set(highX, highY, highZ);
  const { center } = geometry.boundingSphere;
  geometry.boundingBox.getCenter(center);
  const { x: centreX, y: centreY, z: centreZ } = center;
  let square = 0;
  for (let k = 0; k + 2 < length; k += 3) {
    const x = positions[k] - centreX;
    const y = positions[k + 1] - centreY;
    const z = positions[k + 2] - centreZ;
    const distance = x * x + y * y + z * z;
    if (distance > square) square = distance;
  }
  // The shader's vertices are rounded once more.
  geometry.boundingSphere.radius = Math.sqrt(square) * (1 + 1e-6);
}
