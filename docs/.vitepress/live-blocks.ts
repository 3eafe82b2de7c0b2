// Blocks of code marked `js live` can be changed and run on the page: markdown-it hands them to the component LiveExample.

import type { MarkdownRenderer } from 'vitepress';

export function liveBlocks(markdown: MarkdownRenderer): void {
  const ordinary = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, options, environment, renderer) => {
    const { info, content } = tokens[index];
    if (/^js live\b/.test(info)) return `<LiveExample code="${encodeURIComponent(content)}" />`;
    return ordinary?.(tokens, index, options, environment, renderer) ?? '';
  };
}
