/** The part of the WebAssembly API used here; neither the ECMAScript library nor Node's types declare it. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>;
  type Exports = Record<string, unknown>;
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }
  class Memory {
    private constructor();
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
