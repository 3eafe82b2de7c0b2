// Node has no images: three's loader is content with anything in their place.

export const withoutImages = <T>(use: () => Promise<T>): Promise<T> => {
  const own = globalThis as { self?: unknown; createImageBitmap?: unknown };
  const before = { self: own.self, createImageBitmap: own.createImageBitmap };
  own.self = globalThis;
  own.createImageBitmap = async () => ({ width: 2, height: 2, close() {} });
  return use().finally(() => Object.assign(own, before));
};
