// What stands below the options of a command's help: what its outputs are, and commands to begin with.

export const BAKE_HELP = `
Formats:
  .glb .gltf   web, Blender, game engines: meshes that move, with materials and colliders
  .pc2 .mdd    point caches for Blender (Mesh Cache), Maya, Cinema 4D; the mesh is the .obj beside them
  .usda        OpenUSD with points per frame
  .obj .ply    a mesh file per frame: NAME.0001.obj, …
  .vat         a folder with vertex animation textures for game engines (OpenVAT)

Several bodies are one mesh each; of those that are cut every topology is one, with the time that it is there.

Examples:
  isochore bake squeeze -o squeeze.glb
  isochore bake scene.json -o shot.pc2 -o shot.usda --fps 24 --report shot.html
  isochore bake scene.json -o shot.glb --resume        after it was stopped
`;

export const DEFORM_HELP = `
Examples:
  isochore deform imprint -o imprint.glb
  isochore deform scene.json -o walk.pc2 --frames 1-240 --fps 24
  isochore deform scene.json -o walk-####.obj          files that are there are kept
`;

export const SWEEP_HELP = `
Examples:
  isochore sweep scene.json --set bodies.0.solver.stiffness=0.2:0.9:8 --set seed=1..20 -o out
  isochore sweep scene.json --set bodies.ball.density=500,1000 -o out --plan      for a farm: out/plan
  isochore sweep scene.json --set seed=1..99 -o out --queue redis://farm:6379     with isochore work --queue there
  isochore sweep walk --frames 1-240 -o out                                       frames of deformer bodies
`;

export const WORK_HELP = `
Examples:
  isochore work --queue redis://farm:6379 --jobs 4
  isochore work out/plan-1a2b3c4d.json --task 17       what farms call; a task that is done is skipped
`;
