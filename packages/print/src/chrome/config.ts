import { availableParallelism, totalmem } from 'node:os';

/** The process model of Chromium; `auto` tries `multi` and falls back to `single`. */
export type ChromeMode = 'auto' | 'multi' | 'single';

/** The configuration of the engine, as plain values: the function's own configuration reads the environment. */
export interface ChromeConfig {
  /** Where the layers lie: one folder, or several separated by `:` when they are not merged into one as in Lambda. */
  layerRoot: string;
  /** Writable. Holds the unpacked executable (shared by all processes that name the same folder). */
  unpackDir: string;
  /** Writable. Holds the profile and temporary files of every running browser, removed with it. */
  workDir: string;
  mode: ChromeMode;
  /** Documents printed side by side. */
  concurrency: number;
  /** A browser ends and is replaced after so many documents, before leaks and fragmentation add up. */
  documentsPerBrowser: number;
  /** Tenants whose page stays open between requests; the one that waited longest gives way. */
  idlePages: number;
  /** Milliseconds for one document, from its turn to its last byte; a second attempt after a crash counts anew. */
  printTimeout: number;
  /** Milliseconds for the browser to start and answer. */
  launchTimeout: number;
  /**
   * Milliseconds for the probe that decides between the process models. What does not work fails at once; a busy machine
   * must not be mistaken for one where it does not.
   */
  probeTimeout: number;
  /** Bytes of resident memory at which a document's process is ended. */
  documentMemory: number;
  /** Bytes of the longest PDF handed out. */
  maxPdfBytes: number;
  /** Is told what the engine does: one event, with its details. */
  log: (event: string, details: Record<string, unknown>) => void;
}

/** Returns the configuration with defaults filled in. */
export function chromeConfig(given: Partial<ChromeConfig> = {}): ChromeConfig {
  return {
    layerRoot: '/opt',
    unpackDir: '/tmp',
    workDir: '/tmp',
    mode: 'auto',
    concurrency: Math.max(1, Math.min(availableParallelism(), 4)),
    documentsPerBrowser: 500,
    idlePages: 4,
    printTimeout: 30_000,
    launchTimeout: 15_000,
    probeTimeout: 10_000,
    documentMemory: Math.min(1024 * 1024 * 1024, Math.floor(totalmem() * 0.6)),
    maxPdfBytes: 200 * 1024 * 1024,
    log: () => {},
    ...given,
  };
}
