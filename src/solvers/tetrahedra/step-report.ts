// What a step took and what it left.

export interface StepReport {
  /** Newton steps, the first one included; 0 where there was no pressure solve. */
  readonly newtonSteps: number;
  readonly elasticIterations: number;
  readonly pressureIterations: number;
  /** Largest |V/V⁰ − 1| of a one-ring at the end. */
  readonly ringError: number;
  readonly contacts: number;
}
