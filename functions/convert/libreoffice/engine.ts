import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SourceFormat, TargetFormat } from '../../shared/convert/protocol.ts';
import { PlatenError } from '../../shared/errors.ts';
import { detectTemplateFormat, htmlText } from '../../shared/formats/template.ts';
import { log } from '../../shared/log.ts';
import { type Filters, filtersFor } from './filters.ts';
import { findInstallation, HOW_TO_INSTALL } from './installation.ts';
import { type HostAnswer, OfficeProcess, ProcessEnded } from './process.ts';
import { selfContained } from './self-contained.ts';

/** A document to be converted. */
export interface Conversion {
  document: Uint8Array;
  from: SourceFormat;
  to: TargetFormat;
  /** Title of a document that has none of its own. */
  title: string | null;
  /** Milliseconds, from its turn to its last byte. */
  timeout: number;
}

export interface LibreOfficeOptions {
  /** Path of `soffice`, where it is not in one of the usual places. */
  place: string | null;
  /** Writable. */
  workDir: string;
  /** `fonts.conf`; null for the machine's own fonts. */
  fontConfig: string | null;
  /** Milliseconds until LibreOffice takes orders. */
  startTimeout: number;
  /** Bytes of resident memory at which a conversion is ended. */
  maxMemory: number;
  /** Bytes of the largest result. */
  maxResultBytes: number;
  /** LibreOffice is replaced after so many conversions, before leaks and fragmentation add up. */
  conversionsPerProcess: number;
}

/** Milliseconds between two looks at the memory: a document fills it at a few hundred megabytes a second. */
const MEMORY_INTERVAL = 100;
/** Of the memory allowed, what an idle process may hold on to; with more it is replaced. */
const IDLE_SHARE = 0.5;
/** A crash may be the document's fault or not: it gets a second chance, on a fresh process. */
const ATTEMPTS = 2;

/** Why a process was killed in the middle of a conversion. */
type Kill = 'timeout' | 'memory';

/**
 * LibreOffice kept warm. One process, which converts one document at a time; further ones wait for their turn. A
 * second lane is a second function environment.
 */
export class LibreOffice {
  readonly #options: LibreOfficeOptions;
  #current: Promise<OfficeProcess> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: LibreOfficeOptions) {
    this.#options = options;
  }

  /**
   * Starts LibreOffice, so that the first document does not wait.
   *
   * @throws PlatenError `engine_missing`, `engine_unavailable`
   */
  async warm(): Promise<void> {
    await this.#process();
  }

  /**
   * Converts a document.
   *
   * @throws PlatenError `engine_missing`, `engine_unavailable`, `deadline_exceeded`, `document_too_large`,
   *   `unsupported_output_format`, `template_file_invalid`, `office_file_damaged`, `office_file_encrypted`,
   *   `print_failed`
   */
  async convert(conversion: Conversion): Promise<Buffer> {
    const filters = filtersFor(conversion.from, conversion.to);
    if (!filters) {
      throw new PlatenError(
        'unsupported_output_format',
        `A document of the format ${conversion.from} cannot become ${conversion.to}.`,
      );
    }
    const document = await checkedDocument(conversion);
    const result = this.#turn.then(() => this.#take({ ...conversion, document }, filters));
    this.#turn = result.catch(() => {});
    return await result;
  }

  /** Ends LibreOffice and removes all it left on disk. */
  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    this.#current = undefined;
    const running = await current?.catch(() => undefined);
    await running?.kill();
  }

  async #take(conversion: Conversion, filters: Filters): Promise<Buffer> {
    const deadline = performance.now() + conversion.timeout;
    for (let attempt = 1; ; attempt++) {
      const process = await this.#process();
      try {
        return await this.#attempt(process, conversion, filters, deadline);
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        log.warn('LibreOffice ended in the middle of a conversion', {
          attempt,
          from: conversion.from,
          to: conversion.to,
          bytes: conversion.document.length,
          stderr: process.stderr,
        });
        if (attempt === ATTEMPTS) {
          throw new PlatenError('engine_unavailable', 'LibreOffice failed while it converted the document.', {
            cause: error,
          });
        }
      } finally {
        await this.#replaceIfWorn(process);
      }
    }
  }

  /** One conversion on one process, in a folder that is gone afterwards. */
  async #attempt(
    office: OfficeProcess,
    { document, from, to, title }: Conversion,
    { load, store }: Filters,
    deadline: number,
  ): Promise<Buffer> {
    const folder = path.join(office.folder, `conversion-${office.conversions}`);
    const input = path.join(folder, `document.${from}`);
    const output = path.join(folder, `result.${to}`);
    const watch = this.#watch(office, deadline);
    try {
      await mkdir(folder);
      await writeFile(input, document, { mode: 0o600 });
      const answer = await office.convert({ input, output, title, load, store });
      if (!answer.ok) throw refusal(answer, from);
      return await readFile(output);
    } catch (error) {
      const kill = watch();
      if (kill === 'timeout') {
        throw new PlatenError('deadline_exceeded', 'Converting the document took too long.', {
          cause: error,
        });
      }
      if (kill === 'memory') {
        throw new PlatenError(
          'document_too_large',
          'Converting the document takes more memory than there is.',
          {
            cause: error,
          },
        );
      }
      if (isDiskFull(error)) {
        throw new PlatenError('engine_unavailable', 'There is no room to convert the document.', {
          cause: error,
        });
      }
      throw error;
    } finally {
      watch();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Kills the process when the deadline has come or it uses too much memory.
   *
   * @returns ends the watch, and says why it killed, if it did
   */
  #watch(office: OfficeProcess, deadline: number): () => Kill | null {
    let killed: Kill | null = null;
    const look = async (): Promise<void> => {
      if (performance.now() > deadline) killed ??= 'timeout';
      else if ((await office.residentBytes()) > this.#options.maxMemory) killed ??= 'memory';
      if (killed !== null) await office.kill();
    };
    const timer = setInterval(() => void look(), MEMORY_INTERVAL);
    return () => {
      clearInterval(timer);
      return killed;
    };
  }

  /** The process that is running, or a new one. */
  async #process(): Promise<OfficeProcess> {
    const running = await this.#current?.catch(() => undefined);
    if (running?.alive === true) return running;
    if (this.#closed) throw new PlatenError('engine_unavailable', 'LibreOffice has been shut down.');
    this.#current = this.#start();
    return await this.#current;
  }

  async #start(): Promise<OfficeProcess> {
    const { place, workDir, fontConfig, startTimeout, maxResultBytes } = this.#options;
    const installation = findInstallation(place);
    if (!installation) {
      throw new PlatenError(
        'engine_missing',
        `LibreOffice is not installed where this service runs. On Debian and Ubuntu: ${HOW_TO_INSTALL}`,
      );
    }
    const started = performance.now();
    try {
      const process = await OfficeProcess.start(
        { installation, workDir, fontConfig, maxFileBytes: maxResultBytes },
        AbortSignal.timeout(startTimeout),
      );
      log.info('LibreOffice started', { ms: Math.round(performance.now() - started), pid: process.pid });
      return process;
    } catch (error) {
      throw new PlatenError('engine_unavailable', 'LibreOffice does not start.', { cause: error });
    }
  }

  /** Replaces a process that has done its share, in the background. */
  async #replaceIfWorn(office: OfficeProcess): Promise<void> {
    const { conversionsPerProcess, maxMemory } = this.#options;
    const worn =
      office.conversions >= conversionsPerProcess || (await office.residentBytes()) > maxMemory * IDLE_SHARE;
    if (office.alive && !worn) return;
    await office.kill();
    if (this.#closed) return;
    const next = this.#start();
    this.#current = next;
    // One that fails is tried again by the next conversion, which reports it.
    next.catch((error: unknown) => log.error('LibreOffice could not be replaced', { error }));
  }
}

/**
 * The document as LibreOffice may have it. What is not what it is said to be is refused: LibreOffice itself converts
 * random bytes "successfully".
 */
async function checkedDocument({ document, from }: Conversion): Promise<Uint8Array> {
  const found = await detectTemplateFormat(document);
  if (found !== from) {
    throw new PlatenError('template_file_invalid', `The document is ${found}, not ${from}.`);
  }
  // The mark of UTF-8, which wins over whatever encoding the text says it was in.
  return from === 'html'
    ? Buffer.from(`\ufeff${selfContained(htmlText(document, 'The document').text)}`)
    : document;
}

function refusal({ at, message }: Extract<HostAnswer, { ok: false }>, from: SourceFormat): PlatenError {
  const cause = new Error(message);
  if (at === 'load' && from !== 'html') {
    return new PlatenError('office_file_damaged', 'The office file cannot be opened: it is damaged.', {
      cause,
    });
  }
  return new PlatenError('print_failed', 'The document cannot be converted.', { cause });
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
