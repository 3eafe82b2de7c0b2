// Link, files, screenshot and code: what the user takes away.

import { EXPORTS, type ExportKind } from '../protocol.js';
import { element } from './elements.js';
import { showNotice } from './notices.js';

const MIME: Readonly<Record<string, string>> = {
  glb: 'model/gltf-binary',
  obj: 'text/plain',
  json: 'application/json',
  png: 'image/png',
};

/** Offers a file for download. */
export function saveFile(name: string, content: Blob | Uint8Array<ArrayBuffer>): void {
  const type = MIME[name.split('.').pop() ?? ''] ?? 'application/octet-stream';
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copy(text: string, what: string, field: HTMLInputElement | HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice({ title: `${what} copied` });
  } catch {
    // Without leave for the clipboard the text is marked, so that one key copies it.
    field.select();
    showNotice({ title: `${what} is selected`, text: 'This browser does not let the page copy. Press Ctrl+C.' });
  }
}

export class Keep {
  private readonly link = element<HTMLInputElement>('link');
  private readonly code = element<HTMLTextAreaElement>('code');
  private readonly seconds = element<HTMLInputElement>('seconds');

  constructor(actions: { exportFile: (kind: ExportKind, seconds: number) => void; screenshot: () => void }) {
    for (const kind of EXPORTS) {
      const button = document.querySelector<HTMLButtonElement>(`[data-export="${kind}"]`);
      button?.addEventListener('click', () => actions.exportFile(kind, Number(this.seconds.value)));
    }
    this.seconds.addEventListener('input', () => {
      element('seconds-shown').textContent = this.seconds.value;
    });
    element('screenshot').addEventListener('click', () => actions.screenshot());
    element('link-copy').addEventListener('click', () => copy(this.link.value, 'Link', this.link));
    element('code-copy').addEventListener('click', () => copy(this.code.value, 'Code', this.code));
    this.link.addEventListener('focus', () => this.link.select());
  }

  /** `held` says what the link holds beside the settings. */
  show(link: string, code: string, held: { readonly scene: boolean; readonly paint: boolean }): void {
    this.link.value = link;
    const painted = held.paint ? '' : ' What is painted does not fit into it: the scene file holds that.';
    element('link-hint').textContent = held.scene
      ? `Opens this scene with these settings.${painted}`
      : 'Holds the settings only: a mesh file does not fit into a link.';
    this.code.value = code;
  }
}
