// The stage's colours in daylight and at night.

export type Theme = 'light' | 'dark';

export interface StageColours {
  readonly background: number;
  /** The pool of light on the floor. */
  readonly floor: number;
  readonly shadow: number;
  readonly obstacle: number;
  readonly line: number;
  readonly sky: number;
  readonly bounce: number;
  readonly keyStrength: number;
  readonly skyStrength: number;
}

export const STAGE_COLOURS: Record<Theme, StageColours> = {
  light: {
    background: 0xe9e6e0,
    floor: 0xfbfaf7,
    shadow: 0.26,
    obstacle: 0xd6d0c5,
    line: 0x2a2d33,
    sky: 0xffffff,
    bounce: 0xcfc4b4,
    keyStrength: 2.4,
    skyStrength: 1.55,
  },
  dark: {
    background: 0x121418,
    floor: 0x2b3038,
    shadow: 0.55,
    obstacle: 0x4a515c,
    line: 0xe8eaee,
    sky: 0xc4d2ea,
    bounce: 0x3a3530,
    keyStrength: 2.5,
    skyStrength: 0.95,
  },
};

/** Bodies take these in turn. */
export const BODY_COLOURS = [0xe5583c, 0xf2a93b, 0x2f9e8f, 0x3b74c4, 0x8a63c0, 0xdd6a93, 0x6fae4a, 0x3aa6c9];

/** From calm to loud, for values from 0 to 1. */
const SCALE = [0x3d4f78, 0x3f8c9d, 0x8fc07a, 0xf3c24f, 0xe5583c];

const channel = (colour: number, shift: number): number => {
  const c = ((colour >> shift) & 255) / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

/** Red, green, blue as the renderer takes them. */
export const linearColour = (colour: number): [number, number, number] => [
  channel(colour, 16),
  channel(colour, 8),
  channel(colour, 0),
];

const SCALE_COLOURS = SCALE.map(linearColour);
const SCALE_STEPS = 255;
/** The scale as a table, three numbers a step. */
export const SCALE_TABLE = Float32Array.from({ length: 3 * (SCALE_STEPS + 1) }, (_, k) => {
  const at = (Math.trunc(k / 3) / SCALE_STEPS) * (SCALE_COLOURS.length - 1);
  const low = Math.min(SCALE_COLOURS.length - 2, Math.trunc(at));
  return SCALE_COLOURS[low][k % 3] + (at - low) * (SCALE_COLOURS[low + 1][k % 3] - SCALE_COLOURS[low][k % 3]);
});

/** Writes the colour of a value from 0 to 1. */
export function writeScaleColour(value: number, out: Float32Array, at: number): void {
  const step = 3 * Math.round(SCALE_STEPS * Math.min(1, Math.max(0, value)));
  out[at] = SCALE_TABLE[step];
  out[at + 1] = SCALE_TABLE[step + 1];
  out[at + 2] = SCALE_TABLE[step + 2];
}

/** Names for what is coloured, such as paths. */
export function writeHue(value: number, out: Float32Array, at: number): void {
  for (let k = 0; k < 3; k++) out[at + k] = 0.08 + 0.72 * (0.5 + 0.5 * Math.cos(2 * Math.PI * (value + k / 3))) ** 1.6;
}
