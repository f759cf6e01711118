import type { Notice } from './found.ts';
import { parseJsonShape } from '@platen/core/json-text';
import type { Embedding } from '@platen/factur-x';
import type { Profile } from '@platen/factur-x/profiles';
import type { PlatenRequest } from '../shared/http/index.ts';
import {
  INVOICE_FIELDS as FIELDS,
  invalidInvoiceOption,
  refuseUnusedInvoice,
} from '../shared/sent-invoice.ts';

/** Factur-X invoices that are embedded in rendered documents (I-44). */

/** The invoice settings of a call. */
export interface FacturXSettings {
  profile: Profile;
  /** The path of the invoice in the record, in JSON; null if the XML comes with the request. */
  data: string | null;
  /** Name of the partial that produces the XML from the record; null for none. */
  template: string | null;
}

/** Fills a partial with a record; returns null if there is no such partial. */
export type FillPartial = (name: string, record: string, notice?: Notice) => Promise<string> | null;

/** Returns the validated invoice of a record; null for none. @throws as `invoicesOf` */
export type InvoiceOf = (record: string, notice?: Notice) => Promise<Embedding | null>;

/**
 * Returns the source of a request's invoices. XML that comes with the request is validated at once.
 *
 * @throws PlatenError `factur_x_invalid`; `invalid_option` if there is neither XML nor a path in the record,
 * if there are both, or if there is XML that no option uses; for a record also `render_data_invalid` if
 * its invoice has an invalid structure
 */
export async function invoicesOf(
  settings: FacturXSettings | null,
  request: Pick<PlatenRequest, 'optionalFile'>,
  fillPartial: FillPartial,
): Promise<InvoiceOf> {
  if (settings === null) {
    refuseUnusedInvoice(request);
    return async () => await Promise.resolve(null);
  }
  const upload = request.optionalFile(FIELDS.xml);
  const { profile, data, template } = settings;
  if (template !== null) {
    if (upload !== null)
      throw invalidInvoiceOption(FIELDS.template, 'cannot be given together with factur_x_xml');
    if (data !== null)
      throw invalidInvoiceOption(FIELDS.template, 'cannot be given together with factur_x.data');
    return async (record, notice) => {
      const filled = fillPartial(template, record, notice);
      if (filled === null)
        throw invalidInvoiceOption(FIELDS.template, `names no partial: ${template.slice(0, 100)}`);
      const { checkedXml } = await import('../shared/factur-x.ts');
      // An XML declaration must come first, and templates begin with their own tags.
      return await checkedXml(Buffer.from((await filled).trimStart()), FIELDS.template, profile);
    };
  }
  if (data === null) {
    if (upload === null) throw invalidInvoiceOption('render_options.factur_x', WITHOUT_XML);
    const { checkedInvoice } = await import('../shared/factur-x.ts');
    const invoice = await checkedInvoice(upload, profile);
    return async () => await Promise.resolve(invoice);
  }
  if (upload !== null) throw invalidInvoiceOption(FIELDS.data, 'cannot be given together with factur_x_xml');
  return async (record) => await written(record, data, profile);
}

async function written(record: string, place: string, profile: Profile): Promise<Embedding> {
  // Loaded when needed: most documents are no invoices.
  const { readInvoice, unreadableInvoice, writeInvoice } = await import('@platen/factur-x');
  const { checkedXml } = await import('../shared/factur-x.ts');
  const keys = place === '.' || place === '' ? [] : place.split('.');
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const value = valueAt(parseJsonShape(record), keys);
  if (value === undefined) {
    throw unreadableInvoice([{ pointer: '', message: 'is not there' }], FIELDS.data, pointer);
  }
  const read = readInvoice(value);
  if ('faults' in read) throw unreadableInvoice(read.faults, FIELDS.data, pointer);
  return await checkedXml(writeInvoice(read.invoice, profile), FIELDS.data, profile);
}

/** Returns the value at a path; undefined if there is none. */
function valueAt(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

const WITHOUT_XML =
  'needs the XML of the invoice as factur_x_xml, its place in the record as render_options.factur_x.data, or the partial it is made of as render_options.factur_x.template; in batches one of the latter';
