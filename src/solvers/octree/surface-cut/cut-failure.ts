// A cut that the patch cutter cannot make as it stands: points coincide where they must not. A patch moved a little may do.

export class CutFailure extends Error {
  override readonly name = 'CutFailure';
}
