// Runs the consumer in a worker of the page's own.

import { simulate } from './simulate.js';

addEventListener('message', async ({ data }) => postMessage(await simulate(data)));
