// When something in a folder last changed, to know whether a build is up to date.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Newest change of a file or of anything in a folder [ms]; removals show in the folder's own time. */
export function newestChange(path) {
  const about = statSync(path);
  const inside = about.isDirectory() ? readdirSync(path).map((name) => newestChange(join(path, name))) : [];
  return Math.max(about.mtimeMs, ...inside);
}
