// Solvers beside each other in one world, for half a second; the soak runs on for five.

import { describeMixedWorld } from './mixed-world.js';

describeMixedWorld(100);
