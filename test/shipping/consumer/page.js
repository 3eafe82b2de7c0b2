// Runs the consumer in a page, when it is called.

import { simulate } from './simulate.js';

globalThis.simulate = simulate;
