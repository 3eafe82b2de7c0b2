// The memory layout and the slots of partial sums, described once for kernels and host.

export * from '../src/backends/wasm/layout';
export * from '../src/backends/wasm/partial-sums';
