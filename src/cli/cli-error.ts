// Errors as the command line shows them: one line, an exit code, never a stack trace.

/** What the process returns to the shell. */
export const EXIT = {
  ...{ ok: 0, badInput: 1, notSimulatable: 2, nonFinite: 3, tasksFailed: 4 },
  ...{ SIGINT: 130, SIGTERM: 143 },
} as const;

/** An error the user can act on; the message is the whole line. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.badInput,
  ) {
    super(message);
  }
}

/** Text that stays on one line and sends no control codes to a terminal, whatever a file's name or a field holds. */
export const toLine = (text: string): string =>
  text
    .trim()
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes the error's one line to stderr and sets the exit code. */
export function showError(error: unknown): void {
  const isExpected = error instanceof CliError;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${toLine(isExpected ? message : `isochore: internal error: ${message}`)}\n`);
  if (process.env.ISOCHORE_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exitCode = isExpected ? error.exitCode : EXIT.badInput;
}
