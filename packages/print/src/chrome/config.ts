import { coresFor, memoryLimit } from '@platen/core/machine';

/** The process model of Chromium; `auto` tries `multi` and falls back to `single`. */
export type ChromeMode = 'auto' | 'multi' | 'single';

/** The configuration of the engine, as plain values: the function's own configuration reads the environment. */
export interface ChromeConfig {
  /** Location of the layers: one folder, or several separated by `:` if they are not merged as in Lambda. */
  layerRoot: string;
  /** Path of an installed Chrome or Chromium, which is used in place of the layer's; null to use the layer's. */
  executable: string | null;
  /** Writable. Contains the unpacked executable (shared by all processes with the same folder). */
  unpackDir: string;
  /** Writable. Contains the profile and temporary files of every running browser, which are removed with it. */
  workDir: string;
  mode: ChromeMode;
  /** Number of documents printed concurrently. */
  concurrency: number;
  /** Number of documents after which a browser is replaced, because leaks and fragmentation accumulate. */
  documentsPerBrowser: number;
  /** Number of tenants whose page stays open between requests; the least recently used one is closed. */
  idlePages: number;
  /**
   * Maximum milliseconds for one document, from its turn to its last byte; a second attempt after a crash starts
   * again.
   */
  printTimeout: number;
  /** Milliseconds for the browser to start and answer. */
  launchTimeout: number;
  /**
   * Maximum milliseconds for the probe that selects the process model. A model that does not work fails
   * immediately; a busy machine must not be mistaken for it.
   */
  probeTimeout: number;
  /** Resident memory in bytes at which a document's process is terminated. */
  documentMemory: number;
  /** Maximum size of a PDF in bytes. */
  maxPdfBytes: number;
  /** Receives the engine's events, with their details. */
  log: (event: string, details: Record<string, unknown>) => void;
}

/** Returns the configuration with defaults filled in. */
export function chromeConfig(given: Partial<ChromeConfig> = {}): ChromeConfig {
  return {
    layerRoot: '/opt',
    executable: null,
    unpackDir: '/tmp',
    workDir: '/tmp',
    mode: 'auto',
    concurrency: Math.min(coresFor(), 4),
    documentsPerBrowser: 500,
    idlePages: 4,
    printTimeout: 30_000,
    launchTimeout: 15_000,
    probeTimeout: 10_000,
    documentMemory: Math.min(1024 * 1024 * 1024, Math.floor(memoryLimit() * 0.6)),
    maxPdfBytes: 200 * 1024 * 1024,
    log: () => {},
    ...given,
  };
}
