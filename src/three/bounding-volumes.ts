// Keeps a geometry's box and sphere right while its vertices move: three.js culls and casts rays by them.

import { Box3, type BufferGeometry, Sphere } from 'three';

/** Sets the box, and the sphere about its centre, of x, y, z each. Points that are not finite do not count. */
export function updateBounds(geometry: BufferGeometry, positions: Float32Array): void {
  geometry.boundingBox ??= new Box3();
  geometry.boundingSphere ??= new Sphere();
  const { min, max } = geometry.boundingBox;
  min.setScalar(Infinity);
  max.setScalar(-Infinity);
  for (let k = 0; k + 2 < positions.length; k += 3) {
    const [x, y, z] = [positions[k], positions[k + 1], positions[k + 2]];
    if (x < min.x) min.x = x;
    if (x > max.x) max.x = x;
    if (y < min.y) min.y = y;
    if (y > max.y) max.y = y;
    if (z < min.z) min.z = z;
    if (z > max.z) max.z = z;
  }
  const { center } = geometry.boundingSphere;
  geometry.boundingBox.getCenter(center);
  let square = 0;
  for (let k = 0; k + 2 < positions.length; k += 3) {
    const [x, y, z] = [positions[k] - center.x, positions[k + 1] - center.y, positions[k + 2] - center.z];
    const distance = x * x + y * y + z * z;
    if (distance > square) square = distance;
  }
  // The shader's vertices are rounded once more.
  geometry.boundingSphere.radius = Math.sqrt(square) * (1 + 1e-6);
}
