// The worker of a world without a program of the user's own: scripts/build-worker makes one text of it and all that it imports.

import { hostWorld } from './host-world.js';

hostWorld();
