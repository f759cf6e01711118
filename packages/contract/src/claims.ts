import { PlatenError } from '@platen/core/errors';
import type { ConformanceLevel, Violation } from '@platen/pdf/conformance';
import type { Claims } from '@platen/pdf/finish';
import type { ClaimNote, FillNote, PdfNote, XmpNote } from '@platen/pdf/notes';
import type { RenderOptions } from './options.ts';

/**
 * What the options of a call have a PDF claim and say of itself; null where they say nothing of it.
 *
 * @throws PlatenError `option_not_supported` for a document that is to be encrypted, which PDF/A does not know
 */
export function claimsOf(options: RenderOptions): Claims | null {
  const {
    conformance = [],
    title = null,
    language = null,
    on_violation: onViolation = 'error',
    outline = true,
  } = options;
  const levels = options.factur_x === undefined ? conformance : forInvoice(conformance);
  if (levels.length === 0 && title === null && language === null && outline) return null;
  if ((options.encrypt_password ?? '') !== '' && levels.some((level) => level.startsWith('pdf/a'))) {
    const message =
      'render_options.encrypt_password cannot be honoured with a level of PDF/A: it has no encryption';
    throw new PlatenError('option_not_supported', `${message}.`, {
      faults: [{ field: 'render_options.encrypt_password', message }],
    });
  }
  return { levels, title, language, onViolation, outline };
}

/** A Factur-X document is a PDF/A-3, of level b unless more is asked for (I-44). */
function forInvoice(levels: readonly ConformanceLevel[]): readonly ConformanceLevel[] {
  const others = levels.filter((level) => !level.startsWith('pdf/a'));
  const requested = levels.find((level) => level.startsWith('pdf/a'));
  const conformance = requested?.endsWith('a') === true ? 'a' : requested?.endsWith('u') === true ? 'u' : 'b';
  return [`pdf/a-3${conformance}`, ...others];
}

/** What a client is told of a form that has been filled. */
const FILL_NOTES: Readonly<Record<FillNote, string>> = {
  xfa_removed: 'the form had its fields as XFA too, which was removed: it would have shown the old values',
  calculations_left: 'the form calculates fields by scripts: those are left to the program that shows it',
};

/** Tells what there is to say of PDFs that were changed in warnings, each once for all records of a batch. */
export function warnOfNotes(warnings: string[]): (notes: readonly PdfNote[]) => void {
  return (notes) => {
    for (const note of notes) {
      for (const warning of wordsOf(note)) if (!warnings.includes(warning)) warnings.push(warning);
    }
  };
}

function wordsOf(note: PdfNote): string[] {
  if (typeof note === 'string') return [FILL_NOTES[note]];
  return 'lostProperties' in note ? lostProperties(note) : [otherClaim(note)];
}

/** Characters of the names in one warning, which has no more than 300. */
const NAMES = 200;

/** What a client is told of XMP that PDF/A does not allow, in as many warnings as the names take. */
function lostProperties({ lostProperties: names }: XmpNote): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''}, ${name}`;
    if (lines.length === 0 || longer.length > NAMES) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `XMP properties that PDF/A does not allow were removed: ${line}`);
}

/** What a client is told of a document that claims to conform to something else once it has been changed. */
function otherClaim({ claimed, now, reason }: ClaimNote): string {
  const claims = now.length === 0 ? 'does so no more' : `claims ${now.join(' and ')}`;
  return `the file claimed ${claimed.join(' and ')}, and the result ${claims}: ${reason}`;
}

/** Tells of what only the author can mend in warnings, each once for all records of a batch. */
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
