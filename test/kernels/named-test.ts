// Tests of kernels that run on more than one backend are functions of what computes and of the test that they are put into: vitest's own, or
// that of GPU tests, which counts.

/** A test of a name. */
export type NamedTest = (name: string, run: () => Promise<void>) => void;

/** What a kernel gives, at once or when it has come back. */
export type Soon<T> = T | Promise<T>;
