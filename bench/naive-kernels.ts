// The kernels with sums over regions member by member, compiled for the run.

/** Bytes for `createWorld({ kernels })`. */
export async function naiveKernels(): Promise<Uint8Array<ArrayBuffer>> {
  // Not a typed module: the build runs before there is anything to check types with.
  const { buildNaiveKernels } = await import(new URL('../scripts/build-kernels.mjs', import.meta.url).href);
  return buildNaiveKernels();
}
