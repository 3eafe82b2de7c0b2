// The gallery: a card for every built-in scene, with a picture that the playground itself has drawn.

import { scenes } from 'isochore/scenes';
import { extraScenes } from '../extra-scenes.js';
import { element, make } from './elements.js';

const pictures = import.meta.glob<string>('../pictures/*.webp', { eager: true, query: '?url', import: 'default' });

export const gallery = [...scenes, ...extraScenes];

/** `balls-in-glass` → `Balls in glass` */
export const titleOf = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const summaryOf = (name: string): string => {
  const summary = gallery.find((scene) => scene.name === name)?.summary ?? '';
  return summary.charAt(0).toUpperCase() + summary.slice(1);
};

export class Gallery {
  private readonly cards = new Map<string, HTMLAnchorElement>();

  constructor(choose: (name: string) => void) {
    const list = element('gallery');
    for (const { name } of gallery) {
      const address = pictures[`../pictures/${name}.webp`];
      const picture = address
        ? make('img', { src: address, alt: '', width: '288', height: '162', loading: 'lazy', decoding: 'async' })
        : make('span', { class: 'blank' });
      const card = make(
        'a',
        { href: `#scene=${name}`, title: summaryOf(name) },
        picture,
        make('strong', {}, titleOf(name)),
      );
      card.addEventListener('click', (event) => {
        event.preventDefault();
        choose(name);
      });
      this.cards.set(name, card);
      list.append(make('li', {}, card));
    }
  }

  mark(name: string | undefined): void {
    for (const [other, card] of this.cards) {
      if (other === name) {
        card.setAttribute('aria-current', 'true');
        card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else card.removeAttribute('aria-current');
    }
  }
}
