// Light and dark: as the system has it, or as the user chose.

import { element } from './elements.js';
import type { Theme } from './palette.js';

const KEY = 'isochore-theme';

/** Storage may be forbidden. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function watchTheme(apply: (theme: Theme) => void): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const current = (): Theme => {
    const chosen = stored();
    if (chosen === 'light' || chosen === 'dark') return chosen;
    return system.matches ? 'dark' : 'light';
  };
  const set = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
    apply(theme);
  };
  system.addEventListener('change', () => set(current()));
  element('theme').addEventListener('click', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Then it holds for this visit.
    }
    set(next);
  });
  set(current());
}
