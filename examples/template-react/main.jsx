import { Canvas } from '@react-three/fiber';
import { SoftBody, SoftCollider, SoftGrab, SoftPhysics } from 'isochore/react';
import { createRoot } from 'react-dom/client';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const { scene: model } = await new GLTFLoader().loadAsync('duck.glb');
const steps = Array.from({ length: 8 }, (_, n) => [0, 0.4 * n, 3 - n]);
const places = Array.from({ length: 20 }, (_, n) => [(n % 4) - 1.5, 5 + (n >> 2), -3]);

createRoot(document.getElementById('root')).render(
  <Canvas camera={{ position: [7, 6, 9], fov: 40 }} onCreated={({ camera }) => camera.lookAt(0, 1, 0)}>
    <hemisphereLight args={['#ffffff', '#667788', 3]} />
    <SoftPhysics worker>
      <SoftCollider>
        {steps.map((position, n) => (
          <mesh key={position} position={position} scale={n > 0 ? 1 : [3, 1, 6]}>
            <boxGeometry args={[6, 0.4, 1.2]} />
            <meshStandardMaterial color="#7f8c9a" />
          </mesh>
        ))}
      </SoftCollider>
      {places.map((position) => (
        <SoftBody key={position} position={position} vertices={300}>
          <primitive object={model.clone()} />
        </SoftBody>
      ))}
      <SoftGrab />
    </SoftPhysics>
  </Canvas>,
);
