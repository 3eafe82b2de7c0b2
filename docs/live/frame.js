// Runs a live example's program as a module, and tells the page around it what the program says.

const tell = (text) => parent.postMessage({ kind: 'line', text }, location.origin);
const words = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)));

const log = console.log;
console.log = (...values) => {
  log(...values);
  tell(values.map(words).join(' '));
};
addEventListener('error', ({ message }) => tell(message));
addEventListener('unhandledrejection', ({ reason }) => tell(`${reason}`));
addEventListener('message', async ({ data, origin }) => {
  if (origin !== location.origin || typeof data?.run !== 'string') return;
  const address = URL.createObjectURL(new Blob([data.run], { type: 'text/javascript' }));
  await import(address);
  URL.revokeObjectURL(address);
});
parent.postMessage({ kind: 'ready' }, location.origin);
