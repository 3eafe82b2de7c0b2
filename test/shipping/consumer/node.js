// Runs the consumer in plain Node: options as JSON in the first argument, the outcome as JSON to stdout.

import { simulate } from './simulate.js';

console.log(JSON.stringify(await simulate(JSON.parse(process.argv[2]))));
