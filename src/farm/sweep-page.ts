// The results of a sweep as a page: small multiples, one per task, in a grid by what was set, and the table below.

import { escapeHtml, factList, htmlTable, page, showNumber } from '../report/page.js';
import type { Axis } from './axis.js';
import type { TaskResult } from './run-task.js';
import { figureNames } from './sweep-csv.js';
import type { SweepPlan } from './sweep-plan.js';

/** Size of a curve [px]. */
const [WIDTH, HEIGHT] = [96, 34];

/** That fit a page beside the labels of the rows. */
const MOST_COLUMNS = 10;

const STYLE = `
.grid{display:grid;gap:3px;align-items:stretch;width:max-content;font-size:12px;font-variant-numeric:tabular-nums}
.grid b{font-weight:500;color:var(--soft);padding:2px 8px 2px 4px;text-align:right;align-self:center}
.grid b.top{text-align:center;align-self:end;padding:2px}
.task{border-radius:4px;padding:3px 5px;background:color-mix(in srgb,var(--hot) calc(var(--share)*62%),var(--card));border:1px solid var(--line)}
.task svg{display:block}.task path{fill:none;stroke:var(--ink);stroke-width:1.2;vector-effect:non-scaling-stroke}
.task span{display:block;text-align:right}.task.lost{outline:2px solid #c0392b}
:root{--hot:#f0a35e}@media(prefers-color-scheme:dark){:root{--hot:#b0602a}}
.choice{display:flex;gap:10px;align-items:center;margin:0 0 12px;color:var(--soft)}select{font:inherit;padding:3px 6px}
.wide{overflow-x:auto;padding:2px}`;

/** Colours the tasks by the figure that is chosen, from the least to the largest. */
const SCRIPT = `
const select=document.querySelector('select'),tasks=[...document.querySelectorAll('.task')];
function show(){const all=tasks.map(t=>JSON.parse(t.dataset.figures)[select.value]);
const known=all.filter(v=>v!==null&&v!==undefined),low=Math.min(...known),high=Math.max(...known);
tasks.forEach((t,n)=>{const v=all[n],has=v!==null&&v!==undefined;t.style.setProperty('--share',has&&high>low?(v-low)/(high-low):0);
t.querySelector('span').textContent=has?(v!==0&&(Math.abs(v)<1e-3||Math.abs(v)>=1e6)?v.toExponential(1):+v.toPrecision(3)):'–'})}
select.addEventListener('change',show);show();`;

/**
 * @param results ascending by index; tasks without one are left out.
 * @example
 * ```ts
 * const scene = checkScene({ isochore: 1, bodies: [{ mesh: { shape: 'icosphere' } }], steps: 2 });
 * const axes = [parseAxis('seed=1..2')];
 * const plan = makePlan({ name: 'seeds', scene, axes, folder: '.', output: 'out', files: {} });
 * const html = sweepPage(plan, [await runTask(plan, taskAt(plan, 0))]);
 * ```
 */
export function sweepPage(plan: SweepPlan, results: readonly TaskResult[]): string {
  const names = figureNames(results);
  const lost = results.filter(({ nonFinite }) => nonFinite > 0).length;
  const facts: [string, string][] = [
    ['tasks', String(results.length)],
    ...plan.axes.map(({ path, values }): [string, string] => [path, showValues(values)]),
    ['not finite', String(lost)],
    ['Isochore', plan.isochore],
  ];
  const head = ['task', ...plan.axes.map(({ path }) => path), ...(plan.frames ? ['frames'] : []), 'hash', ...names];
  const rows = results.map(({ index, values, frames, hash, figures }) => [
    ...[String(index), ...plan.axes.map(({ path }) => String(values[path]))],
    ...(plan.frames ? [`${frames?.[0]}–${frames?.at(-1)}`] : []),
    ...[hash, ...names.map((name) => showNumber(figures[name] ?? Number.NaN))],
  ]);
  const choices = names.map((name) => `<option>${escapeHtml(name)}</option>`).join('');
  const body = `<h1>${escapeHtml(plan.name)}: a sweep</h1>
<p class="lead">Each small picture is one task: its largest volume error over time, all on one scale; coloured by the figure chosen here.</p>
${factList(facts)}
<h2>Small multiples</h2>
<label class="choice">figure <select>${choices}</select></label>
<div class="wide">${grid(plan, results)}</div>
<h2>All tasks</h2>
${htmlTable(head, rows)}`;
  return page({ title: `${plan.name}: a sweep`, style: STYLE, body, scripts: [SCRIPT] });
}

const showValues = (values: Axis['values']): string =>
  values.length <= 3 ? values.join(', ') : `${values[0]} … ${values.at(-1)}, ${values.length} values`;

/** Columns by the axis with most values that still fit a page, rows by all others; frames in one row after the other. */
function grid(plan: SweepPlan, results: readonly TaskResult[]): string {
  const fits = ({ values }: Axis) => values.length <= MOST_COLUMNS;
  const bySize = [...plan.axes].sort((a, b) => a.values.length - b.values.length);
  const across = bySize.findLast(fits) ?? bySize[0];
  const most = results.reduce((high, { curve }) => Math.max(high, ...curve.filter(Number.isFinite)), 0);
  if (!across) {
    const cells = results.map((result) => cell(result, most)).join('');
    return `<div class="grid" style="grid-template-columns:repeat(10,auto)">${cells}</div>`;
  }
  const others = plan.axes.filter((axis) => axis !== across);
  const rows = new Map<string, Map<string, TaskResult>>();
  for (const result of results) {
    const label = others.map(({ path }) => `${path.split('.').at(-1)} ${result.values[path]}`).join(', ');
    const row = rows.get(label) ?? new Map<string, TaskResult>();
    rows.set(label, row.set(String(result.values[across.path]), result));
  }
  const top = across.values.map((value) => `<b class="top">${escapeHtml(String(value))}</b>`).join('');
  const lines = [...rows].map(([label, row]) => {
    const cells = across.values.map((value) => {
      const result = row.get(String(value));
      return result ? cell(result, most) : '<div></div>';
    });
    return `<b>${escapeHtml(label)}</b>${cells.join('')}`;
  });
  const corner = `<b>${escapeHtml(across.path)} →</b>`;
  return `<div class="grid" style="grid-template-columns:auto repeat(${across.values.length},auto)">${corner}${top}${lines.join('\n')}</div>`;
}

function cell({ index, curve, figures, nonFinite, values, frames }: TaskResult, most: number): string {
  const y = (value: number) => HEIGHT - 1 - (HEIGHT - 2) * (most > 0 && Number.isFinite(value) ? value / most : 0);
  const x = (k: number) => (WIDTH * k) / Math.max(1, curve.length - 1);
  const path = curve.map((value, k) => `${k === 0 ? 'M' : 'L'}${x(k).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const about = frames
    ? `frames ${frames[0]} to ${frames.at(-1)}`
    : Object.entries(values)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ');
  return `<div class="task${nonFinite > 0 ? ' lost' : ''}" title="${escapeHtml(`task ${index}: ${about}`)}" data-figures="${escapeHtml(JSON.stringify(figures))}"><svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><path d="${path}"/></svg><span></span></div>`;
}
