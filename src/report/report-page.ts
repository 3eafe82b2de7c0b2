// The report of a run as one page: what it was, plots over time, a table of its bodies, its settings. Plots are drawn by uPlot, whose
// script and style whoever writes the page hands in, as they go into it.

import { escapeHtml, factList, htmlTable, inlineJson, page, showNumber } from './page.js';
import type { Curves, Plot, Series } from './run-curves.js';

/** Text of uPlot's `uPlot.iife.min.js` and `uPlot.min.css`. */
export interface PlotScripts {
  readonly script: string;
  readonly style: string;
}

export interface ReportPage {
  readonly title: string;
  /** A sentence below the title. */
  readonly lead: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly curves: Curves;
  readonly tables: readonly {
    readonly title: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  readonly pictures?: readonly ReportPicture[];
  /** Shown as JSON: the scene and what was asked for. */
  readonly settings: unknown;
}

export interface ReportPicture {
  /** [s] */
  readonly time: number;
  readonly png: Uint8Array;
}

/** More lines than these nobody tells apart: of others the largest is shown. */
const MOST_SERIES = 8;

const STYLE = `
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:12px}
.picture{margin:0}.picture img{display:block;width:100%;height:auto;border-radius:8px;border:1px solid var(--line)}
.picture figcaption{color:var(--soft);font-size:12.5px;margin-top:4px;font-variant-numeric:tabular-nums}
@media(prefers-color-scheme:dark){.picture img{filter:brightness(.88)}}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(440px,1fr));gap:16px}
.plot{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 12px 8px;min-width:0}
.plot figcaption{font-weight:600;margin:0 2px 4px}.plot figcaption span{color:var(--soft);font-weight:400}
.choice{display:flex;gap:8px;align-items:center;color:var(--soft);margin:0 0 10px}
.uplot,.uplot *{font-family:inherit}.u-legend{font-size:12px;text-align:left;margin-top:2px}.u-legend th{color:var(--ink);padding:2px 6px 2px 0}
.u-legend td{padding:2px 6px 2px 0}.u-legend th,.u-legend td{border:0}.u-select{background:color-mix(in srgb,var(--accent) 18%,transparent)}
@media(max-width:520px){.plots{grid-template-columns:1fr}main{padding:20px 12px 40px}}`;

/** uPlot asks for the user's way to write numbers; some headless browsers name one that there is not (`en-US@posix`). */
const LANGUAGE = `try{new Intl.NumberFormat(navigator.language)}catch{Object.defineProperty(navigator,'language',{value:'en'})}`;

/** Draws the plots, again when the window or the colours change. */
const SCRIPT = `
const{axis,at,plots}=REPORT,box=document.querySelector('.plots'),log=document.querySelector('input');
const hue=n=>'hsl('+((215+n*137.5)%360)+' '+(matchMedia('(prefers-color-scheme:dark)').matches?'70% 68%':'62% 44%')+')';
const ink=name=>()=>getComputedStyle(document.documentElement).getPropertyValue(name);
const say=v=>v==null?'–':v!==0&&(Math.abs(v)<1e-3||Math.abs(v)>=1e6)?v.toExponential(1):String(+v.toPrecision(4));
// A first step takes long; what comes after it is to be seen.
const usual=p=>{const all=p.series.map(s=>[...s.values].sort((a,b)=>a-b)).map(v=>v[Math.floor(.97*(v.length-1))]);return 1.4*Math.max(...all)||1};
let drawn=[];
function draw(){drawn.forEach(p=>p.destroy());drawn=plots.map((plot,n)=>{
const figure=box.children[n],positive=plot.series.some(s=>s.values.some(v=>v>0)),byPower=log.checked&&positive;
const data=[at,...plot.series.map(s=>byPower?s.values.map(v=>v>0?v:null):s.values)];
const line=name=>({stroke:ink('--soft'),grid:{stroke:ink('--grid'),width:1},ticks:{stroke:ink('--grid'),width:1},font:'11px system-ui'});
return new uPlot({width:figure.clientWidth-24,height:210,scales:{x:{time:false},y:byPower?{distr:3}:{range:(u,low,high)=>[Math.min(0,low),plot.unit==='ms'?usual(plot):high>0?high*1.05:1]}},
axes:[{...line(),size:30},{...line(),size:62,values:(u,all)=>all.map(v=>v==null?'':say(v))}],
series:[{label:axis,value:(u,v)=>say(v)},...plot.series.map((s,k)=>({label:s.name,stroke:hue(k),width:1.5,points:{show:at.length<3},value:(u,v)=>say(v)}))],
cursor:{sync:{key:'all'},points:{size:6}}},data,figure)})}
draw();log.addEventListener('change',draw);matchMedia('(prefers-color-scheme:dark)').addEventListener('change',draw);
let width=innerWidth;addEventListener('resize',()=>{if(innerWidth!==width){width=innerWidth;draw()}});`;

export function reportPage(report: ReportPage, uplot: PlotScripts): string {
  const { title, lead, facts, curves, tables, settings, pictures = [] } = report;
  const silent = curves.plots.filter(({ series }) => series.every(({ values }) => values.every((x) => x === 0)));
  const even = curves.plots.filter((plot) => isEven(plot) && !silent.includes(plot));
  const plots = curves.plots.filter((plot) => !silent.includes(plot) && !even.includes(plot)).map(thin);
  const figures = plots.map(
    ({ title: name, unit }) =>
      `<figure class="plot"><figcaption>${escapeHtml(name)}${unit ? ` <span>[${escapeHtml(unit)}]</span>` : ''}</figcaption></figure>`,
  );
  const notes = [
    ...(silent.length > 0 ? [`Zero throughout: ${silent.map(({ title: name }) => name).join(', ')}.`] : []),
    ...(even.length > 0 ? [`The same throughout: ${even.map(showEven).join('; ')}.`] : []),
  ];
  const body = `<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(lead)}</p>
${factList(facts)}
${pictures.length > 0 ? `<h2>Pictures</h2>\n<div class="pictures">${pictures.map(pictureFigure).join('')}</div>` : ''}
<h2>Plots</h2>
<label class="choice"><input type="checkbox"> logarithmic</label>
<div class="plots">${figures.join('')}</div>
${notes.map((line) => `<p class="lead">${escapeHtml(line)}</p>`).join('')}
${tables.map(({ title: name, head, rows }) => `<h2>${escapeHtml(name)}</h2>\n${htmlTable(head, rows)}`).join('\n')}
<h2>Settings</h2>
<details><summary>The scene and what was asked for</summary><pre>${escapeHtml(JSON.stringify(settings, null, 2))}</pre></details>`;
  const data = `const REPORT=${inlineJson({ ...curves, at: curves.at.map(round), plots: plots.map(roundPlot) })};`;
  return page({ title, style: `${uplot.style}${STYLE}`, body, scripts: [LANGUAGE, uplot.script, data + SCRIPT] });
}

/** Counts that do not change are no plot. */
const isEven = ({ unit, series }: Plot): boolean =>
  unit === '' && series.every(({ values }) => values.length > 1 && values.every((x) => x === values[0]));

function showEven({ title, series }: Plot): string {
  const counts = series.map(({ values }) => showNumber(values[0]));
  if (new Set(counts).size === 1) return `${title} ${counts[0]}`;
  return `${title} ${series.map(({ name }, k) => `${counts[k]} (${name})`).join(', ')}`;
}

function pictureFigure({ time, png }: ReportPicture): string {
  const at = `${showNumber(time)} s`;
  return `<figure class="picture"><img alt="at ${at}" src="data:image/png;base64,${toBase64(png)}"><figcaption>${at}</figcaption></figure>`;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  // No call takes as many arguments as a picture has bytes.
  for (let k = 0; k < bytes.length; k += 0x2000) text += String.fromCharCode(...bytes.subarray(k, k + 0x2000));
  return btoa(text);
}

/** Those with the largest values, and the largest of all others together. */
function thin(plot: Plot): Plot {
  if (plot.series.length <= MOST_SERIES) return plot;
  const peak = ({ values }: Series) => values.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY);
  const order = [...plot.series].sort((a, b) => peak(b) - peak(a));
  const others = order.slice(MOST_SERIES - 1);
  const values = others[0].values.map((_, k) =>
    others.reduce((most, one) => Math.max(most, one.values[k]), Number.NEGATIVE_INFINITY),
  );
  return {
    ...plot,
    series: [...order.slice(0, MOST_SERIES - 1), { name: `largest of ${others.length} others`, values }],
  };
}

/** Six digits are more than a plot shows. */
const round = (value: number): number => Number(value.toPrecision(6));
const roundPlot = (plot: Plot): Plot => ({
  ...plot,
  series: plot.series.map(({ name, values }) => ({ name, values: values.map(round) })),
});
