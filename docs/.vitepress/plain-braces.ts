// Braces in the text of a page are braces: the reference has types in it, which are no expressions of the page's own.

import type { MarkdownRenderer } from 'vitepress';

export function plainBraces(markdown: MarkdownRenderer): void {
  const { escapeHtml } = markdown.utils;
  const plain = (text: string) => escapeHtml(text).replaceAll('{', '&#123;');
  markdown.renderer.rules.text = (tokens, index) => plain(tokens[index].content);
  markdown.renderer.rules.code_inline = (tokens, index) => `<code v-pre>${plain(tokens[index].content)}</code>`;
}
