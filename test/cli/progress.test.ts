// What is told while one waits: on a terminal only, and gone when it is over.

import { describe, expect, it } from 'vitest';
import { startNotice } from '../../src/cli/progress.js';

function streams(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, both: { stdout: stream, stderr: stream } as Parameters<typeof startNotice>[2] };
}

describe('a notice', () => {
  it('stands in one line that is cleared at the end', () => {
    const { written, both } = streams(true);
    const notice = startNotice('duck: preparing …', false, both);
    notice.say('duck:\npreparing body 2 of 3 …');
    notice.stop();
    const clear = '\r\u001b[2K';
    expect(written).toEqual([`${clear}duck: preparing …`, `${clear}duck: preparing body 2 of 3 …`, clear]);
  });

  it.each([
    [false, false],
    [true, true],
  ])('is not written to a terminal %s, quiet %s', (isTTY, quiet) => {
    const { written, both } = streams(isTTY);
    const notice = startNotice('duck: preparing …', quiet, both);
    notice.say('more');
    notice.stop();
    expect(written).toEqual([]);
  });
});
