import { cachingFetcher } from '@platen/print/fetcher';
import type { HtmlPrinter, PrintSession } from '@platen/print/print';
import { warnOnce } from '../shared/http/warnings.ts';
import type { Printing } from './html/render.ts';
import { warnOfMissing } from './missing-resources.ts';
import type { RenderDependencies, RenderRequest } from './plan.ts';

/** The printing services that all documents of a request share. */

/** Opens a session of the engine and the other services for printing; closing it ends the session. */
export function openPrinting<S extends PrintSession>(
  { tenant, signal, warnings }: Pick<RenderRequest, 'tenant' | 'signal' | 'warnings'>,
  printer: Pick<HtmlPrinter, 'resourceUrl'> & { session(tenant: string): S },
  { filler, preparer, fetcher }: Pick<RenderDependencies, 'filler' | 'preparer' | 'fetcher'>,
): Printing & { session: S } & AsyncDisposable {
  const session = printer.session(tenant);
  return {
    session,
    filler,
    preparer,
    fetcher: cachingFetcher(fetcher, FURNITURE_CACHE),
    resourceUrl: (path) => printer.resourceUrl(path),
    today: new Date(),
    missing: warnOfMissing(warnings),
    withoutGlyph: warnOfBoxes(warnings),
    warn: warnOnce(warnings),
    recorder: null,
    // Each record has its own.
    notice: () => undefined,
    signal,
    [Symbol.asyncDispose]: async () => await session.close(),
  };
}

/** Bytes of resources of headers and footers that are cached for all records of a batch. */
const FURNITURE_CACHE = 8 * 1024 * 1024;

/** Most characters that the answer names. */
const MAX_NAMED = 10;

/** Returns a callback that warns of each character that no font has, once for all records of a batch. */
export function warnOfBoxes(warnings: string[]): (characters: readonly string[]) => void {
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
