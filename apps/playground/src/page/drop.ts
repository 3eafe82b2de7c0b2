// Files dropped anywhere on the page, or chosen.

import type { DroppedFile } from '../protocol.js';
import { element } from './elements.js';

export function watchDrops(open: (files: DroppedFile[]) => void): void {
  const zone = element('dropzone');
  const input = element<HTMLInputElement>('file');
  const take = async (files: Iterable<File>) => {
    const read = await Promise.all(
      Array.from(files, async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })),
    );
    if (read.length > 0) open(read);
  };
  input.addEventListener('change', async () => {
    await take(input.files ?? []);
    input.value = '';
  });
  let depth = 0;
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    depth++;
    zone.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (!carriesFiles(event)) return;
    depth = Math.max(0, depth - 1);
    zone.hidden = depth === 0;
  });
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    zone.hidden = true;
    take(event.dataTransfer?.files ?? []);
  });
}
