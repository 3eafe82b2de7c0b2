// What a consumer cannot see through the package itself: whether steps woke other threads, and a hash that is not ours.

let notified = 0;
const { notify } = Atomics;
Atomics.notify = (...args) => {
  notified++;
  return notify.apply(Atomics, args);
};

/** Runs something and says whether it woke another thread. */
export function wakesThreads(action) {
  const before = notified;
  action();
  return notified > before;
}

/** Threads join in the background: a body steps until they have, and goes. */
export async function threadsJoin(world, prepared) {
  if (prepared.mesh.positions.length / 3 < 4096) return;
  const body = world.add(prepared);
  const end = Date.now() + 40_000;
  while (world.capabilities.threads > 1 && !wakesThreads(() => world.step()) && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 5));
  world.remove(body);
}

/** SHA-256 of the bits of arrays, in hexadecimal digits. */
export async function hashOf(...arrays) {
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let end = 0;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), end);
    end += array.byteLength;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
