// Finds where JSON text goes wrong. JSON.parse says it in words that differ between engines and often without a place,
// so that this scanner runs only after JSON.parse has refused a text.

export interface JsonFault {
  /** Both counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  /** What stands there instead; undefined at the end of the text. */
  readonly found?: string;
}

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold control characters
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/** The first place where `text` stops being JSON, or undefined if it is. Iterative: any depth of nesting is fine. */
export function findJsonFault(text: string): JsonFault | undefined {
  let at = 0;
  const open: string[] = [];
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const matched = pattern.test(text);
    if (matched) at = pattern.lastIndex;
    return matched;
  };
  const takeCharacter = (character: string): boolean => {
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const fault = (expected: string): JsonFault => {
    const before = text.slice(0, at).split('\n');
    const found = at < text.length ? String.fromCodePoint(text.codePointAt(at) as number) : undefined;
    return { line: before.length, column: (before.at(-1) as string).length + 1, expected, found };
  };

  const takeKey = (): JsonFault | undefined => {
    take(SPACE);
    if (!take(STRING)) return fault(text[at] === '"' ? 'a well-formed string' : 'a field name in double quotes');
    take(SPACE);
    return takeCharacter(':') ? undefined : fault('":"');
  };

  for (;;) {
    take(SPACE);
    const start = text[at];
    if (start === '{' || start === '[') {
      at++;
      take(SPACE);
      const close = start === '{' ? '}' : ']';
      if (!takeCharacter(close)) {
        open.push(close);
        const wrongKey = start === '{' ? takeKey() : undefined;
        if (wrongKey) return wrongKey;
        continue;
      }
    } else if (start === '"') {
      if (!take(STRING)) return fault('a well-formed string');
    } else if (!take(SCALAR)) {
      return fault('a value');
    }
    for (;;) {
      take(SPACE);
      const close = open.at(-1);
      if (close === undefined) return at < text.length ? fault('the end of the file') : undefined;
      if (takeCharacter(close)) {
        open.pop();
        continue;
      }
      if (!takeCharacter(',')) return fault(`"," or "${close}"`);
      const wrongKey = close === '}' ? takeKey() : undefined;
      if (wrongKey) return wrongKey;
      break;
    }
  }
}
