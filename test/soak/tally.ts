// What soaks have done, for their summary: how many steps, files, scenes, starts. `npm run soak` names the file that it is written to.

import { appendFileSync } from 'node:fs';

export function tally(what: string, count: number): void {
  const file = process.env.ISOCHORE_SOAK_TALLY;
  if (file) appendFileSync(file, `${JSON.stringify({ what, count })}\n`);
}
