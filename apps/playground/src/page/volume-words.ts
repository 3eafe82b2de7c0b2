// Volumes in words.

/** What is left of a volume that is off by some percent, always with as many digits. */
export const keptPercent = (error: number, digits = 5): string =>
  Number.isNaN(error) ? '–' : `${Math.max(0, 100 - error).toFixed(error < 0.01 ? digits : 2)} %`;

export function lostWords(change: number): string {
  const percent = Math.abs(100 * change);
  if (!(percent >= 0.5)) return 'lost nothing yet';
  return `${change < 0 ? 'lost' : 'gained'} ${Math.round(percent)} %`;
}
