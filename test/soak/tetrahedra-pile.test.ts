// Every solver in one pile for five seconds.

import { describePile } from '../solvers/tetrahedra/pile.js';

describePile(1000);
