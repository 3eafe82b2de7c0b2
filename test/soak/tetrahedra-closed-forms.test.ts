// The closed forms once more, so that what they come to is kept with the other findings.

import '../solvers/tetrahedra/closed-forms.test.js';
