import type { PdfInfo, Platen } from '@platen/client';
import type { Form } from './form.ts';
import { joined } from './joined.ts';
import { RequestError } from './request-error.ts';
import { type OutputFile, pdfNamed } from './result.ts';

/** The routes `/forms/pdfengines/…` process existing PDFs. */

/** Returns the PDFs of a form with their names. @throws RequestError if there are none */
export async function pdfsOf(form: Form): Promise<OutputFile[]> {
  const pdfs = form.files.filter(({ name }) => name.toLowerCase().endsWith('.pdf'));
  if (pdfs.length === 0)
    throw new RequestError(400, 'Invalid form data: no form file found for extensions: [.pdf]');
  return await Promise.all(
    pdfs.map(async ({ name, content }) => pdfNamed(name, new Uint8Array(await content.arrayBuffer()))),
  );
}

/** Merges the PDFs of a form in the order of their names. */
export async function merged(platen: Platen, form: Form): Promise<OutputFile[]> {
  return await joined(platen, form, await pdfsOf(form));
}

/** Changes PDFs as the form asks in at least one of `fields`. @throws RequestError if it names none */
export async function changed(form: Form, fields: readonly string[]): Promise<OutputFile[]> {
  if (fields.every((field) => form.text(field) === undefined)) {
    throw new RequestError(400, `Invalid form data: form field '${fields.join("' or '")}' is required`);
  }
  return await pdfsOf(form);
}

/** Embeds the files of the field `embeds`. @throws RequestError if there are none */
export async function embedding(form: Form): Promise<OutputFile[]> {
  if (form.special('embeds').length === 0)
    throw new RequestError(400, "Invalid form data: form file 'embeds' is required");
  return await pdfsOf(form);
}

/** Takes the XML of an invoice, under its field or any other. @throws RequestError if there is none */
export async function sentInvoice(form: Form): Promise<OutputFile[]> {
  const other = form.files.find(({ name }) => name.toLowerCase().endsWith('.xml'));
  if (form.special('facturxXml').length === 0) {
    if (other === undefined)
      throw new RequestError(400, "Invalid form data: form file 'facturxXml' is required");
    form.add('facturxXml', other);
  }
  return await pdfsOf(form);
}

/** Returns a JSON object that maps the file name of each PDF to the result of `describe`. */
export async function infoAsJson(
  platen: Platen,
  form: Form,
  describe: (info: PdfInfo) => unknown,
): Promise<OutputFile> {
  const all: Record<string, unknown> = {};
  for (const { name, bytes } of await pdfsOf(form)) all[name] = describe(await platen.pdf.info(bytes));
  const bytes = new TextEncoder().encode(JSON.stringify(all));
  return { name: 'result.json', type: 'application/json', bytes };
}
