// Every solver in one pile, for as long as it takes to fall on each other.

import { describePile } from './pile.js';

describePile(40);
