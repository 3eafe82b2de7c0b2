// Solvers beside each other in one world for five seconds: threads, snapshots, sleep, volumes.

import { describeMixedWorld } from '../determinism/mixed-world.js';

describeMixedWorld(1000);
