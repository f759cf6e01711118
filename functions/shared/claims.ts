import { PlatenError } from '@platen/core/errors';
import type { Violation } from '@platen/pdf/conformance';
import type { Claims } from '@platen/pdf/finish';
import type { RenderOptions } from './contract/options.ts';

/**
 * What the options of a call have a PDF claim and say of itself; null where they say nothing of it.
 *
 * @throws PlatenError `option_not_supported` for a document that is to be encrypted, which PDF/A does not know
 */
export function claimsOf(options: RenderOptions): Claims | null {
  const {
    conformance: levels = [],
    title = null,
    language = null,
    on_violation: onViolation = 'error',
    outline = true,
  } = options;
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
