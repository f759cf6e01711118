import { type FieldFault, PlatenError } from '@platen/core/errors';
import type { InvoiceFault } from './fault.ts';
import type { ModelFault } from './model.ts';
import type { InvoiceReport } from './validate.ts';

/**
 * Returns the error for an invoice with faults, with one entry for each fault.
 *
 * @param field name of the request's field with the invoice
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
 * Returns the error for JSON that does not match the schema of an invoice.
 *
 * @param path JSON pointer to the invoice in the data
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
