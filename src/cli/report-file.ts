// Where a report goes: a page where its name ends with .html, else JSON.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { type ReportPage, reportPage } from '../report/report-page.js';
import { writeOutput } from './files.js';

/** Who computed it, beside the package itself. */
const VERSIONS: readonly [string, string][] = [
  ['Node', `${process.version}, ${process.platform} ${process.arch}`],
  ['processor', `${cpus()[0]?.model.trim() || 'unknown'}, ${availableParallelism()} threads`],
];

export const isPage = (file: string): boolean => /\.html?$/i.test(file);

/** @param makePage asked where it is to be a page. */
export async function writeReport(
  file: string,
  json: string,
  makePage: () => ReportPage | Promise<ReportPage>,
): Promise<void> {
  await writeOutput(file, isPage(file) ? await writePage(await makePage()) : json);
}

async function writePage(page: ReportPage): Promise<string> {
  return reportPage({ ...page, facts: [...page.facts, ...VERSIONS] }, await loadPlots());
}

async function loadPlots(): Promise<{ script: string; style: string }> {
  const { resolve } = createRequire(import.meta.url);
  const read = (name: string) => readFile(resolve(`uplot/dist/${name}`), 'utf8');
  const [script, style] = await Promise.all([read('uPlot.iife.min.js'), read('uPlot.min.css')]);
  return { script, style };
}
