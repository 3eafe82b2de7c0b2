// The panels: three beside the stage on wide screens, and with the scenes four below it on phones.

const buttons = [...document.querySelectorAll<HTMLButtonElement>('.tabs [data-tab]')];
const narrow = matchMedia('(max-width: 860px)');

export function setUpTabs(onShow: (tab: string) => void): void {
  const show = (tab: string) => {
    document.body.dataset.tab = tab;
    for (const button of buttons) {
      const selected = button.dataset.tab === tab;
      button.setAttribute('aria-selected', String(selected));
      button.tabIndex = selected ? 0 : -1;
    }
    onShow(tab);
  };
  const shown = () => buttons.filter((button) => narrow.matches || button.dataset.tab !== 'scenes');
  for (const button of buttons) {
    button.addEventListener('click', () => show(button.dataset.tab ?? 'see'));
    button.addEventListener('keydown', (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      const list = shown();
      const next = list[(list.indexOf(button) + way + list.length) % list.length];
      next.focus();
      show(next.dataset.tab ?? 'see');
    });
  }
  const fit = () => show(narrow.matches ? 'scenes' : 'see');
  narrow.addEventListener('change', fit);
  fit();
}
