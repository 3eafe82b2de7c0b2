// The one error that reading a mesh file may end with.

/** One line that names the place in the file and what was expected there. */
export class MeshReadError extends Error {
  override readonly name = 'MeshReadError';
}
