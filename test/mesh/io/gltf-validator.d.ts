// The part of the package gltf-validator that is used; it ships no types.

declare module 'gltf-validator' {
  export interface ValidationReport {
    issues: { numErrors: number; numWarnings: number; numInfos: number; messages: object[] };
    info: { version: string; drawCallCount: number };
  }
  export interface ValidationOptions {
    externalResourceFunction?: (uri: string) => Promise<Uint8Array>;
  }
  export function validateBytes(data: Uint8Array, options?: ValidationOptions): Promise<ValidationReport>;
}
