// Serves a folder to a browser on a free port of this machine, cross-origin isolated or not.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** What makes a page cross-origin isolated: only then does it have shared memory. */
export const ISOLATION_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.glb': 'model/gltf-binary',
};

export interface PageServerOptions {
  /** Whether pages are cross-origin isolated. */
  isolated?: boolean;
  /** Further headers of every answer, such as a content security policy. */
  headers?: Record<string, string>;
}

export interface PageServer {
  /** Where the folder is served, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts to serve a folder; a folder's own address is its index.html. */
export async function servePages(folder: string, options: PageServerOptions = {}): Promise<PageServer> {
  const headers = { 'Cache-Control': 'no-store', ...(options.isolated ? ISOLATION_HEADERS : {}), ...options.headers };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    try {
      // An address is made absolute before it is joined, so that it cannot lead out of the folder.
      const path = normalize(decodeURIComponent(pathname));
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      const body = await readFile(file);
      const type = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { ...headers, 'Content-Type': type });
      response.end(body);
    } catch {
      response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' });
      response.end(`${pathname} is not there\n`);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
