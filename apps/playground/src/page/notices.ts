// What the page says in words: messages, that it is busy, that the clock runs slow.

import { element, make } from './elements.js';

const [box, title, text, list] = ['notice', 'notice-title', 'notice-text', 'notice-list'].map((id) => element(id));
const [busy, pace] = [element('busy'), element('pace')];

element('notice-close').addEventListener('click', () => hideNotice());

export function hideNotice(): void {
  box.hidden = true;
}

// What is no trouble goes when one goes on.
element('canvas').addEventListener('pointerdown', () => {
  if (!box.classList.contains('bad')) hideNotice();
});

export interface Notice {
  readonly title: string;
  readonly text?: string;
  readonly lines?: readonly string[];
  readonly bad?: boolean;
}

export function showNotice(notice: Notice): void {
  title.textContent = notice.title;
  text.textContent = notice.text ?? '';
  list.replaceChildren(...(notice.lines ?? []).map((line) => make('li', {}, line)));
  box.classList.toggle('bad', Boolean(notice.bad));
  box.hidden = false;
}

let busyTimer = 0;

/** Says what takes time, if it takes longer than one would notice. */
export function showBusy(what: string): void {
  clearTimeout(busyTimer);
  busyTimer = window.setTimeout(() => {
    busy.textContent = `${what} …`;
    busy.hidden = false;
  }, 250);
}

export function hideBusy(): void {
  clearTimeout(busyTimer);
  busy.hidden = true;
}

/** Says so where the simulation's clock is behind the wall's. */
export function showPace(share: number, speed: number): void {
  const slow = share < 0.93;
  pace.hidden = !slow;
  if (slow)
    pace.textContent = `${(share * speed).toPrecision(share * speed < 0.095 ? 1 : 2)}× real time: this machine cannot keep up`;
}
