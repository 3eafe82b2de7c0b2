// What soaks have measured, for the results page: `npm run soak` names the file that it is written to, and keeps it in bench/results/findings.csv.

import { appendFileSync } from 'node:fs';

/** Figures of one item of a check, such as the roughness of a bar that is bent. Nothing is kept outside of a soak. */
export function found(check: string, item: string, figures: Readonly<Record<string, number>>): void {
  const file = process.env.ISOCHORE_SOAK_FINDINGS;
  if (file) appendFileSync(file, `${JSON.stringify({ check, item, figures })}\n`);
}
