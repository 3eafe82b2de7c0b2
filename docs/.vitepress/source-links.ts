// Pages include READMEs of the sources and link to files beside the site: what is a page becomes a link to it, the rest to the
// repository.

import type { MarkdownRenderer } from 'vitepress';

const REPOSITORY = 'https://github.com/isochore/isochore/blob/main/';
const METHOD = /(?:^|\/)(surface|volume|lattice|octree|tetrahedra|deformer)\/README\.md$/;

function siteAddress(link: string): string {
  const method = METHOD.exec(link)?.[1];
  if (method) return `/how/${method}.md`;
  const outside = /^(?:\.\.\/)+((?:src|assembly|test|bench|apps|scripts|examples|[A-Z]+\.md).*)$/.exec(link)?.[1];
  return outside ? REPOSITORY + outside : link;
}

export function sourceLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('source-links', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const link = token.type === 'link_open' ? token.attrGet('href') : null;
      if (link) token.attrSet('href', siteAddress(link));
    }
  });
}
