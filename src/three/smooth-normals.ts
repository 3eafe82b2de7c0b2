// Smooth normals of a moving mesh, as three.js shows them.

export { unitVertexNormals as writeSmoothNormals } from '../mesh/measure.js';
