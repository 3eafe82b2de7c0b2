// What the programs of README and documentation stand in: a file's bytes, a loaded model, a page with three.js.

/** Code that goes before a page's blocks where they use a file or a page with three.js. */
export const SURROUNDINGS = `
  import { BoxGeometry, Group, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three';
  import { box as boxMesh, writeMeshes } from 'isochore/mesh';
  const bytes = await writeMeshes([{ name: 'model', mesh: boxMesh({ size: 40 }) }], 'model.obj');
  const material = new MeshStandardMaterial();
  const gltf = { scene: new Group().add(new Mesh(new BoxGeometry(), material)) };
  const [scene, camera] = [new Scene(), new PerspectiveCamera()];
  const nothing = () => {};
  let loop: (now: number) => void = nothing;
  const renderer = {
    domElement: { addEventListener: nothing, style: {} } as unknown as HTMLElement,
    setAnimationLoop: (called: (now: number) => void) => { loop = called; },
    render: (_scene: Scene, _camera: PerspectiveCamera) => {},
  };
`;

/** The options that programs are checked with: strict, against the built package. */
export const PROGRAM_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  strict: true,
  noEmit: true,
  types: [],
  lib: ['es2023', 'dom'],
};

/** The blocks of code of a page that are marked with a language, and with nothing else. */
export function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]);
}
