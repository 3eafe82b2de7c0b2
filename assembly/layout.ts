// The memory layout and the slots of partial sums, described once for kernels and host.

export * from '../src/backends/wasm/layout/body-pairs';
export * from '../src/backends/wasm/layout/body-record';
export * from '../src/backends/wasm/layout/contact-tree';
export * from '../src/backends/wasm/layout/obstacles';
export * from '../src/backends/wasm/layout/skin';
export * from '../src/backends/wasm/layout/world-record';
export * from '../src/backends/wasm/partial-sums';
