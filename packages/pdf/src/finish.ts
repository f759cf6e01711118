import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceLevel, ExtensionSchema, Violation } from './conformance/index.ts';
import type { View } from './conformance/view.ts';
import type * as FacturX from './factur-x/index.ts';
import type { EmbeddedInvoice } from './factur-x/index.ts';
import { openPdf, type PdfFile } from './model/index.ts';
import type { PdfNote } from './notes.ts';
import { packPdf, withSingleStreams } from './files/pack.ts';
import { type PrintHtml, processPdfs, type Step } from './steps/index.ts';

/** The conformance and the properties that a document declares. */
export interface Claims {
  /** If empty, the document claims nothing. */
  levels: readonly ConformanceLevel[];
  title: string | null;
  language: string | null;
  onViolation: 'error' | 'warn';
  /** False removes the existing outline. */
  outline: boolean;
  /** How readers show the document. */
  view?: View | undefined;
}

/** The final steps on a rendered PDF (I-21). */
export interface Finishing {
  /** Embedded before all other steps (I-44). */
  invoice?: EmbeddedInvoice | null | undefined;
  /** Executed first (I-46). */
  steps: readonly Step[];
  /** Folder of the fonts for text in steps; null if the deployment has none. */
  fonts: string | null;
  compress: boolean;
  /** Encrypts the document with this password; null for no encryption. */
  encryptPassword: string | null;
  /** Null if no claims are requested. */
  claims: Claims | null;
  /** Signs the result as the last step. */
  sign?: ((pdf: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** The scratch directory for finishing documents, and the callbacks for notes. */
export interface FinishingPlace {
  /** For temporary files; nothing is left there. */
  scratch: () => Promise<string>;
  /** Called with violations that only the author can repair, if they are not an error. */
  violated: (violations: readonly Violation[]) => void;
  /** Prints the html of steps; undefined if no browser is available. */
  printHtml?: PrintHtml | undefined;
  /** Called with notes about forms that steps have filled, and about claims that no longer hold. */
  noted: (notes: readonly PdfNote[]) => void;
  signal: AbortSignal;
}

/**
 * Reduces the size of a PDF that an engine wrote, as far as possible within a millisecond or two, then compresses
 * it, sets the requested claims, and encrypts it.
 *
 * @throws PlatenError as `pdfWithInvoice`, `processPdfs`, `conform` and `sign`
 */
export async function finishPdf(
  printed: Uint8Array,
  { invoice = null, steps, fonts, compress, encryptPassword, claims, sign = same }: Finishing,
  place: FinishingPlace,
): Promise<Uint8Array> {
  const { scratch, signal } = place;
  const chain = chainOf({ steps, compress, encryptPassword, claims });
  if (claims !== null && chain.length === 1) {
    const conformed = await conformedInPlace(printed, { ...claims, fonts }, invoice, place);
    if (conformed !== undefined) return await sign(conformed);
  }
  const pdf = invoice === null ? printed : await withInvoice(printed, invoice, signal);
  const packed = await packPdf(pdf, signal);
  if (chain.length === 0) return await sign(packed);
  return await sign(
    await throughFiles(packed, scratch, (from, to) => through(from, to, { chain, fonts }, place)),
  );
}

/** The steps, and then the options of a rendering as steps. */
function chainOf({
  steps,
  compress,
  encryptPassword,
  claims,
}: Pick<Finishing, 'steps' | 'compress' | 'encryptPassword' | 'claims'>): Step[] {
  const chain: Step[] = [...steps];
  if (compress) chain.push({ name: 'compress', options: {} });
  if (claims !== null) chain.push({ name: 'conform', options: { ...claims, field: 'conformance' } });
  if (encryptPassword !== null) chain.push({ name: 'encrypt', options: { password: encryptPassword } });
  return chain;
}

/** Executes a chain of steps on a file. */
async function through(
  from: string,
  output: string,
  { chain, fonts }: { chain: readonly Step[]; fonts: string | null },
  { violated, noted, printHtml, signal }: FinishingPlace,
): Promise<void> {
  const task = { inputs: [{ path: from }], output, steps: chain, fonts };
  const where = { breakSignatures: false, place: STEPS_PLACE, printHtml };
  const { violations, notes } = await processPdfs({ ...task, ...where }, { signal });
  violated(violations);
  noted(notes);
}

/**
 * Finishes a file of any size, without reducing it first. It is read into memory only for signing.
 *
 * @returns path of the result; if it differs, the given file no longer exists
 * @throws PlatenError as `finishPdf`
 */
export async function finishFile(
  file: string,
  { fonts, sign, ...options }: Omit<Finishing, 'invoice'>,
  place: FinishingPlace,
): Promise<string> {
  let path = file;
  const replace = async (write: (from: string, to: string) => Promise<void>): Promise<void> => {
    const to = join(await place.scratch(), `${randomUUID()}.pdf`);
    await write(path, to);
    await rm(path);
    path = to;
  };
  const chain = chainOf(options);
  if (chain.length > 0) await replace((from, to) => through(from, to, { chain, fonts }, place));
  if (sign !== undefined) await replace(async (from, to) => writeFile(to, await sign(await readFile(from))));
  return path;
}

/** Name of the list of steps in errors. */
const STEPS_PLACE = 'render_options.steps';

/** Larger documents are processed in a thread, so that other requests continue. */
const IN_PLACE = 8 * 1024 * 1024;

/**
 * Embeds the invoice, sets the claims, and packs the document, in one pass.
 *
 * @returns undefined for documents that have to be processed in a thread
 */
async function conformedInPlace(
  printed: Uint8Array,
  options: Claims & { fonts: string | null },
  invoice: EmbeddedInvoice | null,
  { violated, noted, signal }: FinishingPlace,
): Promise<Uint8Array | undefined> {
  if (printed.length > IN_PLACE) return undefined;
  // Loaded on demand: most documents claim nothing.
  const { conformDocument } = await import('./conformance/index.ts');
  const file = await openPdf(await withSingleStreams(printed, signal), { signal });
  // Setting the text of fields keeps state, so it belongs in a thread.
  if (file.catalog['/AcroForm'] !== undefined) return undefined;
  const schemas = invoice === null ? [] : [await attached(file, invoice)];
  const { pdf, violations, notes } = await conformDocument(file, { ...options, schemas, signal });
  violated(violations);
  noted(notes);
  return pdf;
}

// Loaded on demand: most documents are not invoices.
const invoices = async (): Promise<typeof FacturX> => await import('./factur-x/index.ts');

async function withInvoice(
  pdf: Uint8Array,
  invoice: EmbeddedInvoice,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return await (await invoices()).pdfWithInvoice(pdf, invoice, signal);
}

/**
 * Attaches an invoice.
 *
 * @returns its XMP properties
 */
async function attached(file: PdfFile, invoice: EmbeddedInvoice): Promise<ExtensionSchema> {
  const { attachInvoice, invoiceSchema } = await invoices();
  attachInvoice(file, invoice);
  return invoiceSchema(invoice);
}

/** Executes a step that reads a file and writes another one. */
async function throughFiles(
  pdf: Uint8Array,
  scratch: () => Promise<string>,
  step: (from: string, to: string) => Promise<void>,
): Promise<Uint8Array> {
  const base = join(await scratch(), randomUUID());
  const [from, to] = [`${base}.pdf`, `${base}.done.pdf`];
  try {
    await writeFile(from, pdf);
    await step(from, to);
    return await readFile(to);
  } finally {
    await Promise.all([from, to].map((file) => rm(file, { force: true })));
  }
}

const same = (pdf: Uint8Array): Promise<Uint8Array> => Promise.resolve(pdf);
