// Threads need a page that is cross-origin isolated. Where the server does not say so, a service worker of our own adds the
// headers; the page has to be loaded once more for that, once. Without service workers there is one thread, silently.

const TRIED = 'isochore-isolation';

/** Resolves to true where the page is about to be loaded again. */
export async function isolatePage(): Promise<boolean> {
  if (crossOriginIsolated || !isSecureContext || !('serviceWorker' in navigator)) return false;
  try {
    if (sessionStorage.getItem(TRIED)) return false;
    sessionStorage.setItem(TRIED, '1');
    await navigator.serviceWorker.register('./isolation-worker.js');
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        setTimeout(resolve, 1000);
      });
    }
    if (!navigator.serviceWorker.controller) return false;
    location.reload();
    return true;
  } catch {
    return false;
  }
}
