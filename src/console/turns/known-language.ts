// uPlot formats numbers in the browser's language as soon as it is loaded, and throws when that is no language tag
// (`en-US@posix`). Import this before it: such a browser gets English numbers.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
