// The choice of what the bodies are painted with.

import { VIEWS, type View } from '../protocol.js';
import { element, make } from './elements.js';

const HINTS: Readonly<Record<View, string>> = {
  shaded: 'The bodies as they are.',
  wire: 'Every edge of the mesh: each vertex is a particle.',
  paths: 'Long runs of edges cover the surface; sums along them make matching fast.',
  region: 'The vertices that are matched together with one of them. Click a body to choose another.',
  weights: 'Where the volume correction acts: blue little, red much.',
  pairs: 'Each vertex and the one across the body: they measure how the inside is pressed.',
  contacts: 'Red particles touch an obstacle or another body.',
  painted: 'What is painted with the brush: red more, blue less, in between as it is.',
  cells: 'The cell inside that carries most of each vertex: finer ones where the body is thin, or touched.',
  graph: 'Nodes inside, and which of them are linked: where something is cut they are not. Of octrees only.',
  rings: 'How far the volume around each node is from its own: red by a thousandth. Of finite elements only.',
  stress: 'Von Mises’ stress of finite elements: red the largest in the picture.',
  active: 'How far muscles are active: red fully.',
  strain: 'How far edges are stretched or squeezed: blue not at all, red by a third.',
};

export class ViewChooser {
  current: View = 'shaded';
  private readonly inputs = new Map<View, HTMLInputElement>();

  constructor(private readonly choose: (view: View) => void) {
    const host = element('views');
    for (const view of VIEWS) {
      const input = make('input', { type: 'radio', name: 'view', value: view });
      input.addEventListener('change', () => this.pick(view));
      this.inputs.set(view, input);
      host.append(make('label', {}, input, view));
    }
    this.set('shaded');
  }

  pick(view: View): void {
    this.set(view);
    this.choose(view);
  }

  set(view: View): void {
    this.current = view;
    const input = this.inputs.get(view);
    if (input) input.checked = true;
    element('view-hint').textContent = HINTS[view];
  }

  next(): void {
    this.pick(VIEWS[(VIEWS.indexOf(this.current) + 1) % VIEWS.length]);
  }
}
