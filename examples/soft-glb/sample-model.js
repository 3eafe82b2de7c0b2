// A small model to begin with, as a GLB file: a toy figure of three parts with two textures and a mirrored ear.

import * as THREE from 'three';
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js';

/** A texture of squares in two colours. */
function chequered(first, second) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const context = canvas.getContext('2d');
  for (let x = 0; x < 8; x++) {
    for (let y = 0; y < 8; y++) {
      context.fillStyle = (x + y) % 2 ? first : second;
      context.fillRect(16 * x, 16 * y, 16, 16);
    }
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

/** Bytes of the GLB file. */
export async function sampleModel() {
  const dressed = new THREE.MeshStandardMaterial({ map: chequered('#c1121f', '#fdf0d5'), roughness: 0.6 });
  const bare = new THREE.MeshStandardMaterial({ map: chequered('#669bbc', '#a8c9dd'), roughness: 0.6 });
  const figure = new THREE.Group();
  figure.name = 'figure';
  const belly = new THREE.Mesh(new THREE.CapsuleGeometry(0.55, 0.5, 12, 48), dressed);
  // In older versions of three a capsule's normals are not all of length 1.
  belly.geometry.normalizeNormals();
  const head = new THREE.Mesh(new THREE.SphereGeometry(0.45, 48, 32), bare);
  head.position.y = 1;
  const ear = new THREE.Mesh(new THREE.SphereGeometry(0.18, 24, 16), dressed);
  ear.position.set(0.32, 1.38, 0);
  const otherEar = ear.clone();
  otherEar.position.x = -0.32;
  otherEar.scale.x = -1;
  figure.add(belly, head, ear, otherEar);
  return new GLTFExporter().parseAsync(figure, { binary: true });
}
