// What all pages that we write have in common: one file that needs no other and asks nobody for anything, in light and dark.

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Data for a script in the page: nothing in it ends the element. */
export const inlineJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A number for people: four digits, powers of ten where fixed ones would show nothing or far too much. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size > 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2).replace('e-', 'e−');
  return String(Number(value.toPrecision(4))).replace('-', '−');
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#22252b;--soft:#6a6f7a;--line:#e2dfd9;--grid:#00000012;--accent:#3a5fb0;
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
@media(prefers-color-scheme:dark){:root{--paper:#15171b;--card:#1d2026;--ink:#e6e7ea;--soft:#9aa0ab;--line:#30343c;--grid:#ffffff14;--accent:#8fb0f2}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink)}
main{max-width:1180px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:27px;line-height:1.2;margin:0 0 4px;font-weight:650}h2{font-size:17px;margin:36px 0 12px;font-weight:600}
.lead{color:var(--soft);margin:0 0 20px}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:1px;background:var(--line);border:1px solid var(--line);
border-radius:8px;overflow:hidden;margin:0}.facts div{background:var(--card);padding:10px 14px}
.facts dt{color:var(--soft);font-size:12.5px}.facts dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:13.5px}
th,td{padding:7px 12px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
tr:last-child td{border-bottom:0}th{color:var(--soft);font-weight:500}th:first-child,td:first-child{text-align:left}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px;overflow:auto;font-size:12.5px;max-height:420px}
summary{cursor:pointer;color:var(--accent)}footer{margin-top:40px;color:var(--soft);font-size:12.5px}`;

export interface PageParts {
  readonly title: string;
  /** Further rules, and what stands in the page, as HTML. */
  readonly style?: string;
  readonly body: string;
  /** Scripts, each run as it stands. */
  readonly scripts?: readonly string[];
}

export function page({ title, style = '', body, scripts = [] }: PageParts): string {
  const run = scripts.map((script) => `<script>${script.replaceAll('</script', '<\\/script')}</script>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
${body}
</main>
${run}
</body>
</html>
`;
}

export const factList = (facts: readonly (readonly [string, string])[]): string =>
  `<dl class="facts">${facts
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('')}</dl>`;

export function htmlTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
  return `<div class="scroll"><table><thead>${line(head, 'th')}</thead><tbody>${rows
    .map((row) => line(row, 'td'))
    .join('\n')}</tbody></table></div>`;
}
