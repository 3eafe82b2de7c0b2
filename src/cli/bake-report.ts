// The report of a bake: what a simulation's tells, of the steps that this process has done.

import type { BakeRecord } from '../bake/bake-record.js';
import { stillPictures } from '../bake/still-pictures.js';
import { RunCurves } from '../report/run-curves.js';
import { runPage } from '../report/run-page.js';
import type { Frame, Report } from '../scenes/index.js';
import { RunRecord } from '../scenes/run-record.js';
import { isPage, writeReport } from './report-file.js';
import type { SceneSource } from './scene-file.js';

export class BakeReport {
  private readonly record: RunRecord;
  private readonly curves = new RunCurves();
  private first: number | undefined;
  private report: Report | undefined;

  /** Nothing is measured where no file is given. */
  constructor(
    private readonly file: string | undefined,
    private readonly source: SceneSource,
    private readonly settings: object,
  ) {
    this.record = new RunRecord(source.name);
  }

  /** Takes every frame of a run in its order. */
  note(frame: Frame): void {
    if (this.file === undefined) return;
    this.first ??= frame.step;
    this.record.note(frame);
    if (isPage(this.file)) this.curves.note(frame);
    if (frame.last) this.report = this.record.report(frame);
  }

  /** Pictures are of the frames, those before a stop included. */
  async write(record: BakeRecord): Promise<void> {
    const { file, report, first = 0 } = this;
    if (file === undefined || !report) return;
    const settings = { ...this.settings, scene: this.source.scene };
    // What was measured before a bake was stopped is gone with that process.
    const facts: [string, string][] = first > 0 ? [['measured', `from step ${first} on`]] : [];
    const json = `${JSON.stringify(report, null, 2)}\n`;
    await writeReport(file, json, async () => {
      const pictures = await stillPictures(record.baked());
      return runPage(report, this.curves.curves(), { verb: 'bake', settings, facts, pictures });
    });
  }
}
