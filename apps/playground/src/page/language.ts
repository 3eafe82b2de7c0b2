// Some browsers on bare systems call their language `en-US@posix`, which no formatter takes; the plotter asks for one when it
// is loaded. Imported before it.

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
