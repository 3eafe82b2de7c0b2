// The way to a queue: BullMQ over Redis, two packages that only those need who ask for it.

import type { Redis } from 'ioredis';
import { CliError } from './cli-error.js';
import { reasonOf } from './files.js';

/** Longest wait between two attempts to reach a server that has gone [ms]: it is back within a restart. */
const LONGEST_WAIT = 2000;
/** How long a first connection may take [ms]. */
const CONNECT_TIMEOUT = 10_000;

export interface QueuePackages {
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: Pick<typeof import('ioredis'), 'Redis'>;
}

export async function loadPackages(): Promise<QueuePackages> {
  const [bullmq, ioredis] = await Promise.all([
    import('bullmq').catch(() => undefined),
    import('ioredis').catch(() => undefined),
  ]);
  if (bullmq && ioredis) return { bullmq, ioredis };
  throw new CliError('--queue: expected the packages bullmq and ioredis to be installed (npm install bullmq ioredis)');
}

/** Throws where nobody answers; later it waits for a server that has gone, for as long as it takes. */
export async function connect({ ioredis }: QueuePackages, url: string): Promise<Redis> {
  const address = readAddress(url);
  const client = new ioredis.Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    // BullMQ asks for it: commands wait for the connection.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(100 * times, LONGEST_WAIT),
  });
  let fault: Error | undefined;
  client.on('error', (error: Error) => {
    fault ??= error;
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.disconnect();
    const reason = fault ?? (error as Error);
    const isRefused = (reason as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    throw new CliError(`--queue: ${address}: ${isRefused ? 'nobody answers there' : reasonOf(reason)}`);
  }
}

/** Without what is secret in it. */
function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^rediss?:$/.test(url.protocol) && url.hostname !== '') return url.host;
  throw new CliError('--queue: expected an address such as redis://localhost:6379');
}
