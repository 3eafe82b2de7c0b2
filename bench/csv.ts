// Comma-separated values as this repository writes them [RFC 4180]: the recorded tables, read back.

/** Fields of every line, quotes taken off. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let [fields, field, quoted]: [string[], string, boolean] = [[], '', false];
  const endField = () => {
    fields.push(field);
    field = '';
  };
  const endLine = () => {
    endField();
    lines.push(fields);
    fields = [];
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter !== '"') field += letter;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === ',') endField();
    else if (letter === '\n') endLine();
    else if (letter !== '\r') field += letter;
  }
  if (field !== '' || fields.length > 0) endLine();
  return lines;
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Lines of fields as one text. */
export const writeCsv = (lines: readonly (readonly (string | number)[])[]): string =>
  `${lines.map((line) => line.map((field) => quote(String(field))).join(',')).join('\n')}\n`;
