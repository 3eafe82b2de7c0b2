// The memory layout, described once for kernels and host.

export * from '../src/backends/wasm/layout';
