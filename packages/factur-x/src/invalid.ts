import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { InvoiceFault } from './fault.ts';
import type { ModelFault } from './model.ts';
import type { InvoiceReport } from './validate.ts';

/**
 * The error for an invoice with faults: one entry for each.
 *
 * @param field where the invoice came from, by its name on the wire
 */
export function invalidInvoice({ profile, faults, more }: InvoiceReport, field: string): PlatenError {
  const [first] = faults;
  const as = profile === null ? '' : ` of the profile ${profile}`;
  const count = faults.length + more;
  const rest =
    count > 1 ? ` There are ${count} faults${more > 0 ? `; ${faults.length} are named` : ''}.` : '';
  const what = first === undefined ? '' : `: ${first.rule}: ${first.detail}`;
  return new PlatenError('factur_x_invalid', `The invoice is not valid${as}${what}${rest}`, {
    faults: faults.map((fault) => fieldFault(fault, field)),
  });
}

function fieldFault({ rule, detail, line, element }: InvoiceFault, field: string): FieldFault {
  return {
    field,
    message: `${rule}: ${detail}`,
    rule,
    detail,
    ...(line === undefined ? {} : { line }),
    ...(element === undefined ? {} : { element }),
  };
}

/**
 * The error for JSON that is no invoice in form.
 *
 * @param path where in the data the invoice is, as a JSON pointer
 */
export function unreadableInvoice(faults: readonly ModelFault[], field: string, path: string): PlatenError {
  const [first] = faults;
  const place = `${path}${first?.pointer ?? ''}`;
  return new PlatenError(
    'render_data_invalid',
    `The invoice at ${place || '/'} ${first?.message ?? 'cannot be read'}.`,
    {
      faults: faults.slice(0, 100).map(({ pointer, message }) => ({
        field,
        message: `${path}${pointer} ${message}`,
        pointer: `${path}${pointer}`,
      })),
    },
  );
}
