import { PlatenError } from '@platen/core/errors';
import type {
  ConformanceLevel,
  ClaimNote,
  CmykNote,
  FillNote,
  InvoiceNote,
  PdfNote,
  RedactNote,
} from '@platen/pdf/options';
import type { Violation } from '@platen/pdf/conformance';
import type { Claims } from '@platen/pdf/finish';
import type { RenderOptions } from './options.ts';
import { viewOf } from './view-options.ts';

/**
 * Returns the conformance claims that the options of a call request for a PDF; null when they request none.
 *
 * @throws PlatenError `option_not_supported` for a document that is to be encrypted, which PDF/A forbids
 */
export function claimsOf(options: RenderOptions): Claims | null {
  const {
    conformance = [],
    title = null,
    language = null,
    on_violation: onViolation = 'error',
    outline = true,
    view,
  } = options;
  const levels = options.factur_x === undefined ? conformance : forInvoice(conformance);
  if (levels.length === 0 && title === null && language === null && outline && view === undefined)
    return null;
  if ((options.encrypt_password ?? '') !== '' && levels.some((level) => level.startsWith('pdf/a'))) {
    const message =
      'render_options.encrypt_password cannot be honoured with a level of PDF/A: it has no encryption';
    throw new PlatenError('option_not_supported', `${message}.`, {
      faults: [{ field: 'render_options.encrypt_password', message }],
    });
  }
  return { levels, title, language, onViolation, outline, view: view && viewOf(view) };
}

/**
 * Adds PDF/A-3, which a Factur-X document requires, at level b unless the caller asks for a higher one
 * (I-44).
 */
function forInvoice(levels: readonly ConformanceLevel[]): readonly ConformanceLevel[] {
  const others = levels.filter((level) => !level.startsWith('pdf/a'));
  const requested = levels.find((level) => level.startsWith('pdf/a'));
  const conformance = requested?.endsWith('a') === true ? 'a' : requested?.endsWith('u') === true ? 'u' : 'b';
  return [`pdf/a-3${conformance}`, ...others];
}

/** Messages for clients about a form that has been filled, an invoice, and colours. */
const PLAIN_NOTES: Readonly<Record<FillNote | InvoiceNote | CmykNote, string>> = {
  invoice_without_archive:
    'the file has the invoice and is not PDF/A-3, so programs may not take it as Factur-X: leave out `conformance: none`',
  cmyk_assumed:
    'colours in CMYK without an ICC profile were declared as offset printing in general makes them: for a certain press, give the document its output intent',
  xfa_removed: 'the form also had XFA data, which was removed because it would have shown the old values',
  calculations_left: 'the form calculates fields by scripts, which only run in the program that shows it',
};

/**
 * Returns a function that adds notes about changed PDFs to the warnings, each note once for all records of a
 * batch.
 */
export function warnOfNotes(warnings: string[]): (notes: readonly PdfNote[]) => void {
  return (notes) => {
    for (const note of notes) {
      for (const warning of wordsOf(note)) if (!warnings.includes(warning)) warnings.push(warning);
    }
  };
}

function wordsOf(note: PdfNote): string[] {
  if (typeof note === 'string') return [PLAIN_NOTES[note]];
  if ('missing' in note) return unredacted(note);
  if ('unformatted' in note) {
    const why =
      'values are shown as they are, because their fields have a format that cannot be applied to them';
    return listed(why, note.unformatted);
  }
  if ('signaturesRemoved' in note) {
    const why = 'the signatures were removed, because they are not valid for the result';
    return listed(why, note.signaturesRemoved);
  }
  if ('unsureScripts' in note) {
    const why = 'scripts may not work, because fields were renamed or the script was left out';
    return listed(why, note.unsureScripts);
  }
  if ('lostProperties' in note) {
    return listed('XMP properties that PDF/A does not allow were removed', note.lostProperties);
  }
  if ('embeddedFonts' in note) {
    const names = note.embeddedFonts.map(({ name, by }) => `${name} by ${by}`);
    return listed('fonts that the file does not contain were replaced by fonts of the same widths', names);
  }
  return [otherClaim(note)];
}

/** Maximum characters of the names in one warning, which has at most 300. */
const NAMES = 200;

/** Returns as many warnings as the names need. */
function listed(introduction: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''}, ${name}`;
    if (lines.length === 0 || longer.length > NAMES) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `${introduction}: ${line}`);
}

/** Returns the warnings about words that were not found, and pages on which they cannot be found. */
function unredacted({ missing, pictures, unknown }: RedactNote): string[] {
  const words = missing.map((word) => (word.length > NAMES ? `${word.slice(0, NAMES)}…` : word));
  return [
    ...listed('the document contains no such text, so nothing was redacted for', words),
    ...listed('pages that show pictures and no text were not searched for words', spans(pictures)),
    ...listed(
      'pages with characters that the document does not identify may still show redacted words',
      spans(unknown),
    ),
  ];
}

/** Ascending numbers as ranges, such as `1-3` and `5`. */
function spans(numbers: readonly number[]): string[] {
  const found: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.to === number - 1) last.to = number;
    else found.push({ from: number, to: number });
  }
  return found.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
}

/** Returns the message for a document that claimed another conformance before it was changed. */
function otherClaim({ claimed, now, reason }: ClaimNote): string {
  const claims = now.length === 0 ? 'does so no more' : `claims ${now.join(' and ')}`;
  return `the file claimed ${claimed.join(' and ')}, and the result ${claims}: ${reason}`;
}

/**
 * Returns a function that adds violations which only the author can repair to the warnings, each once for all
 * records of a batch.
 */
export function warnOfViolations(warnings: string[]): (violations: readonly Violation[]) => void {
  return (violations) => {
    for (const { rule, page, element, detail } of violations) {
      const place = [page === null ? null : `page ${page}`, element]
        .filter((part) => part !== null)
        .join(', ');
      const warning = `not_conformant: ${rule}${place === '' ? '' : ` (${place})`}: ${detail}`;
      if (!warnings.includes(warning)) warnings.push(warning);
    }
  };
}
