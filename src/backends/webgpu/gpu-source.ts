// Where a world's GPU comes from. Told by what is asked of it, as the types of WebGPU are the DOM's, which programs of Node do without.

/** What `navigator.gpu` is and Dawn's `create([])` gives in Node, or a `GPUDevice` of your own. */
export type GpuSource =
  | { requestAdapter(options?: object): Promise<unknown> }
  | { readonly queue: object; createBuffer(descriptor: never): object };
