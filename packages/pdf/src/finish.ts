import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceLevel, ExtensionSchema, Violation } from './conformance/index.ts';
import type { View } from './conformance/view.ts';
import type * as FacturX from './factur-x/index.ts';
import type { EmbeddedInvoice } from './factur-x/index.ts';
import { compressPdf, conformPdf, encryptPdf } from './index.ts';
import { openPdf, type PdfFile } from './model/index.ts';
import type { PdfNote } from './notes.ts';
import { packPdf, withSingleStreams } from './pack.ts';
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
 * @throws PlatenError as `pdfWithInvoice`, `processPdfs`, `compressPdf`, `conform`, `encryptPdf` and `sign`
 */
export async function finishPdf(
  printed: Uint8Array,
  { invoice = null, steps, fonts, compress, encryptPassword, claims, sign = same }: Finishing,
  { scratch, violated, noted, printHtml, signal }: FinishingPlace,
): Promise<Uint8Array> {
  // If the document gets claims and nothing comes between, the same pass embeds the invoice.
  const isLate = invoice !== null && claims !== null && steps.length === 0 && !compress;
  const pdf = isLate || invoice === null ? printed : await withInvoice(printed, invoice, signal);
  // Documents with claims are written anew, and packed then.
  const isPacked = claims === null || compress || steps.length > 0;
  const packed = isPacked ? await packPdf(pdf, signal) : await withSingleStreams(pdf, signal);
  if (steps.length === 0 && !compress && encryptPassword === null && claims === null)
    return await sign(packed);
  const options = { signal, spent: { milliseconds: 0 } };
  const stepped =
    steps.length === 0
      ? packed
      : await throughFiles(packed, scratch, async (from, to) => {
          const task = { inputs: [{ path: from }], output: to, steps, fonts };
          const where = { breakSignatures: false, place: STEPS_PLACE, printHtml };
          const { violations, notes } = await processPdfs({ ...task, ...where }, options);
          violated(violations);
          noted(notes);
        });
  const small = compress
    ? await throughFiles(stepped, scratch, async (from, to) => {
        noted(await compressPdf(from, to, {}, options));
      })
    : stepped;
  const claimed =
    claims === null
      ? small
      : await conformed(small, { ...claims, fonts }, isLate ? invoice : null, {
          scratch,
          violated,
          noted,
          signal,
        });
  if (encryptPassword === null) return await sign(claimed);
  const encryption = { password: encryptPassword };
  return await sign(
    await throughFiles(claimed, scratch, async (from, to) => {
      noted(await encryptPdf(from, to, encryption, options));
    }),
  );
}

/**
 * Finishes a file of any size, without reducing it first. It is read into memory only for signing.
 *
 * @returns path of the result; if it differs, the given file no longer exists
 * @throws PlatenError as `finishPdf`
 */
export async function finishFile(
  file: string,
  { steps, fonts, compress, encryptPassword, claims, sign }: Omit<Finishing, 'invoice'>,
  { scratch, violated, noted, printHtml, signal }: FinishingPlace,
): Promise<string> {
  const options = { signal, spent: { milliseconds: 0 } };
  let path = file;
  const through = async (step: (from: string, to: string) => Promise<void>): Promise<void> => {
    const to = join(await scratch(), `${randomUUID()}.pdf`);
    await step(path, to);
    await rm(path);
    path = to;
  };
  if (steps.length > 0) {
    await through(async (from, output) => {
      const task = { inputs: [{ path: from }], output, steps, fonts };
      const where = { breakSignatures: false, place: STEPS_PLACE, printHtml };
      const { violations, notes } = await processPdfs({ ...task, ...where }, options);
      violated(violations);
      noted(notes);
    });
  }
  if (compress) await through(async (from, to) => noted(await compressPdf(from, to, {}, options)));
  if (claims !== null) {
    await through(async (from, to) => {
      const { violations, notes } = await conformPdf(from, to, { ...claims, fonts }, { signal });
      violated(violations);
      noted(notes);
    });
  }
  if (encryptPassword !== null) {
    const encryption = { password: encryptPassword };
    await through(async (from, to) => noted(await encryptPdf(from, to, encryption, options)));
  }
  if (sign !== undefined) await through(async (from, to) => writeFile(to, await sign(await readFile(from))));
  return path;
}

/** Name of the list of steps in errors. */
const STEPS_PLACE = 'render_options.steps';

/** Larger documents are processed in a thread, so that other requests continue. */
const IN_PLACE = 8 * 1024 * 1024;

async function conformed(
  pdf: Uint8Array,
  options: Claims & { fonts: string | null },
  invoice: EmbeddedInvoice | null,
  { scratch, violated, noted, signal }: Omit<FinishingPlace, 'printHtml'>,
): Promise<Uint8Array> {
  // Loaded on demand: most documents claim nothing.
  if (pdf.length <= IN_PLACE) {
    const { conformDocument } = await import('./conformance/index.ts');
    const file = await openPdf(pdf, { signal });
    // Setting the text of fields keeps state, so it belongs in a thread.
    if (file.catalog['/AcroForm'] === undefined) {
      const schemas = invoice === null ? [] : [await attached(file, invoice)];
      const {
        pdf: claimed,
        violations,
        notes,
      } = await conformDocument(file, { ...options, schemas, signal });
      violated(violations);
      noted(notes);
      return claimed;
    }
  }
  const whole = invoice === null ? pdf : await withInvoice(pdf, invoice, signal);
  return await throughFiles(whole, scratch, async (from, to) => {
    const { violations, notes } = await conformPdf(from, to, options, { signal });
    violated(violations);
    noted(notes);
  });
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
