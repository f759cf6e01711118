import type { RenderingEngine } from '@platen/contract/options';
import { cachingFetcher, type Fetcher } from '@platen/print/fetcher';
import type { Missing, PrintSession, ReadingSession } from '@platen/print';
import { warnOnce } from '../shared/http/warnings.ts';
import type { RenderDependencies, RenderRequest } from './dependencies.ts';
import type { Notice } from './found.ts';
import { warnOfMissing } from './missing-resources.ts';
import type { Recorder } from './report/recorder.ts';

/** What all documents of a request are printed with. */

/** The services, the session of an engine, and the receivers of what is found. */
export interface Printing extends Pick<RenderDependencies, 'filler' | 'preparer'> {
  session: PrintSession;
  /** Reads documents and takes pictures of them, whichever engine prints. */
  chrome: ReadingSession;
  /** Loads the resources that headers and footers name. */
  fetcher: Fetcher;
  /** Returns the address under which the engine finds a resource of the document. */
  resourceUrl: (path: string) => string;
  /** The date in headers. */
  today: Date;
  signal: AbortSignal;
  /** Called with resources that a document names and cannot load. */
  missing: Missing;
  /** Called with characters that no font has. */
  withoutGlyph: (characters: readonly string[]) => void;
  /** Called with a sentence about a feature of the document that is not supported. */
  warn: (text: string) => void;
  /** Receives what filling notices. */
  notice: Notice;
  /** Receives all other findings, if a report is wanted. */
  recorder: Recorder | null;
}

/** Opens a session of an engine and the other services for printing; closing it ends the session. */
export function openPrinting(
  { tenant, signal, warnings }: Pick<RenderRequest, 'tenant' | 'signal' | 'warnings'>,
  engine: RenderingEngine,
  {
    filler,
    preparer,
    fetcher,
    printers,
  }: Pick<RenderDependencies, 'filler' | 'preparer' | 'fetcher' | 'printers'>,
): Printing & AsyncDisposable {
  const chrome = printers.chrome.session(tenant);
  const session = engine === 'chrome' ? chrome : printers[engine].session(tenant);
  return {
    session,
    chrome,
    filler,
    preparer,
    fetcher: cachingFetcher(fetcher, FURNITURE_CACHE),
    resourceUrl: (path) => printers[engine].resourceUrl(path),
    today: new Date(),
    signal,
    missing: warnOfMissing(warnings),
    withoutGlyph: warnOfGlyphs(warnings),
    warn: warnOnce(warnings),
    // Each record has its own.
    notice: () => undefined,
    recorder: null,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([chrome.close(), session === chrome ? undefined : session.close()]);
    },
  };
}

/** Bytes of resources of headers and footers that are cached for all records of a batch. */
const FURNITURE_CACHE = 8 * 1024 * 1024;

/** Most characters that the answer names. */
const MAX_NAMED = 10;

/** Returns a callback that warns of each character that no font has, once for all records of a batch. */
function warnOfGlyphs(warnings: string[]): (characters: readonly string[]) => void {
  const named = new Set<string>();
  return (characters) => {
    for (const character of characters) {
      if (named.has(character) || named.size >= MAX_NAMED) continue;
      named.add(character);
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      warnings.push(`No font has the character U+${code}: it is printed as an empty box.`);
    }
  };
}
