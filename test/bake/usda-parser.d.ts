// The part of three's USDA parser that is used; it ships no types.

declare module 'three/examples/jsm/loaders/usd/USDAParser.js' {
  interface Spec {
    fields: { timeSamples: { times: number[]; values: number[][][] }; default: number[][] };
  }
  export class USDAParser {
    parseData(text: string): { specsByPath: Record<string, Spec> };
  }
}
