// What the playground's page may do. It is in the page itself, for servers that send no headers, and in the headers of `npm start`.

/**
 * Its own scripts, styles and pictures; WebAssembly; workers of its own and, for threads, of the library's text; pictures that it
 * makes. Nothing from anywhere else, and nothing goes there.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
