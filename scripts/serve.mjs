// Serves the built playground on this machine with the headers that give it threads.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { PAGE_POLICY } from './page-policy.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
};
const COMPRESSED = ['.html', '.js', '.css', '.json', '.svg'];
/** Tried first, as its address is easy to remember. */
const FAVOURITE_PORT = 5180;

/** The page says the same of itself, but workers and what is around the page are told by headers only. */
const POLICY = `${PAGE_POLICY}; frame-ancestors 'self'`;

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-cache',
};

export function parseArguments(words) {
  let port;
  let open = true;
  for (let k = 0; k < words.length; k++) {
    if (words[k] === '--no-open') open = false;
    else if (words[k] === '--port') port = Number(words[++k]);
    else throw new Error(`npm start: expected --port N or --no-open, got ${words[k]}`);
  }
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65535))
    throw new Error('npm start: --port: expected a number from 0 to 65535');
  return { port, open };
}

async function readCompressed(cache, file) {
  const known = cache.get(file);
  if (known) return known;
  const plain = await readFile(file);
  const squeezed = COMPRESSED.includes(extname(file))
    ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    : undefined;
  const entry = { plain, squeezed };
  cache.set(file, entry);
  return entry;
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Serves a folder; the port is the one asked for, else the favourite, else any that is free. */
export async function servePlayground(folder, port) {
  const cache = new Map();
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      // An address is made absolute before it is joined, so that it cannot lead out of the folder.
      const path = normalize(decodeURIComponent(pathname));
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      const { plain, squeezed } = await readCompressed(cache, file);
      const type = { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' };
      if (squeezed && /\bbr\b/.test(request.headers['accept-encoding'] ?? '')) {
        response.writeHead(200, { ...HEADERS, ...type, 'Content-Encoding': 'br', Vary: 'Accept-Encoding' });
        response.end(squeezed);
      } else {
        response.writeHead(200, { ...HEADERS, ...type });
        response.end(plain);
      }
    } catch {
      response.writeHead(404, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('not found\n');
    }
  });
  try {
    await listen(server, port ?? FAVOURITE_PORT);
  } catch (error) {
    if (port !== undefined || error.code !== 'EADDRINUSE')
      throw new Error(`port ${port ?? FAVOURITE_PORT}: ${error.code}`);
    await listen(server, 0);
  }
  return {
    address: `http://localhost:${server.address().port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
