import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceLevel, ExtensionSchema, Violation } from './conformance/index.ts';
import type * as FacturX from './factur-x/index.ts';
import type { EmbeddedInvoice } from './factur-x/index.ts';
import { compressPdf, conformPdf, encryptPdf } from './index.ts';
import { openPdf, type PdfFile } from './model/index.ts';
import type { PdfNote } from './notes.ts';
import { packPdf } from './pack.ts';
import { type PrintHtml, processPdfs, type Step } from './steps/index.ts';

/** The conformance and the properties that a document declares. */
export interface Claims {
  /** None: it claims nothing. */
  levels: readonly ConformanceLevel[];
  title: string | null;
  language: string | null;
  onViolation: 'error' | 'warn';
  /** False: without the outline that it has. */
  outline: boolean;
}

/** The final steps on a rendered PDF (I-21). */
export interface Finishing {
  /** Embedded before all else (I-44). */
  invoice?: EmbeddedInvoice | null | undefined;
  /** Carried out first (I-46). */
  steps: readonly Step[];
  /** Folder of the fonts that steps set text in; null where the deployment has none. */
  fonts: string | null;
  compress: boolean;
  /** Encrypts with it where it is not null. */
  encryptPassword: string | null;
  /** Null where nothing was asked for. */
  claims: Claims | null;
  /** Signs it, as the last thing that is done to it. */
  sign?: ((pdf: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/** The working place for finished documents, and the receiver of findings about them. */
export interface FinishingPlace {
  /** For files while it is worked on; nothing is left there. */
  scratch: () => Promise<string>;
  /** Told of what only the author of a document can repair, where that is no error. */
  violated: (violations: readonly Violation[]) => void;
  /** Prints the html of steps; undefined where nothing does. */
  printHtml?: PrintHtml | undefined;
  /** Told what there is to say of forms that steps have filled, and of claims that do not hold any more. */
  noted: (notes: readonly PdfNote[]) => void;
  signal: AbortSignal;
}

/**
 * Shrinks a PDF that an engine wrote, as far as that takes a millisecond or two, compresses it, sets the
 * requested claims, and encrypts it.
 *
 * @throws PlatenError as `pdfWithInvoice`, `processPdfs`, `compressPdf`, `conform`, `encryptPdf` and `sign`
 */
export async function finishPdf(
  printed: Uint8Array,
  { invoice = null, steps, fonts, compress, encryptPassword, claims, sign = same }: Finishing,
  { scratch, violated, noted, printHtml, signal }: FinishingPlace,
): Promise<Uint8Array> {
  // What claims something has its invoice put in by the pass that sees to the claims, where nothing comes between.
  const isLate = invoice !== null && claims !== null && steps.length === 0 && !compress;
  const pdf = isLate || invoice === null ? printed : await withInvoice(printed, invoice, signal);
  // What claims something is written anew, and packed then.
  const packed = claims === null || compress || steps.length > 0 ? await packPdf(pdf, signal) : pdf;
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
    ? await throughFiles(stepped, scratch, (from, to) => compressPdf(from, to, {}, options))
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
  const encryption = { userPassword: encryptPassword };
  return await sign(
    await throughFiles(claimed, scratch, async (from, to) => {
      noted(await encryptPdf(from, to, encryption, options));
    }),
  );
}

/**
 * Does the same to a file of any size, without shrinking it first. It is read into memory only to be signed.
 *
 * @returns path of the result; if that is another one, the given file no longer exists
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
  if (compress) await through((from, to) => compressPdf(from, to, {}, options));
  if (claims !== null) {
    await through(async (from, to) => {
      const { violations, notes } = await conformPdf(from, to, { ...claims, fonts }, { signal });
      violated(violations);
      noted(notes);
    });
  }
  if (encryptPassword !== null) {
    const encryption = { userPassword: encryptPassword };
    await through(async (from, to) => noted(await encryptPdf(from, to, encryption, options)));
  }
  if (sign !== undefined) await through(async (from, to) => writeFile(to, await sign(await readFile(from))));
  return path;
}

/** How errors name the list of steps. */
const STEPS_PLACE = 'render_options.steps';

/** Above that a document is worked on in a thread, so that other requests go on. */
const IN_PLACE = 8 * 1024 * 1024;

async function conformed(
  pdf: Uint8Array,
  options: Claims & { fonts: string | null },
  invoice: EmbeddedInvoice | null,
  { scratch, violated, noted, signal }: Omit<FinishingPlace, 'printHtml'>,
): Promise<Uint8Array> {
  // Loaded when it is needed: most documents claim nothing.
  if (pdf.length <= IN_PLACE) {
    const { conformDocument } = await import('./conformance/index.ts');
    const file = await openPdf(pdf, { signal });
    // What sets the text of fields keeps state, and belongs into a thread.
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

// Loaded when it is needed: most documents are no invoices.
const invoices = async (): Promise<typeof FacturX> => await import('./factur-x/index.ts');

async function withInvoice(
  pdf: Uint8Array,
  invoice: EmbeddedInvoice,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return await (await invoices()).pdfWithInvoice(pdf, invoice, signal);
}

/** Attaches an invoice. @returns what the XMP has to say of it */
async function attached(file: PdfFile, invoice: EmbeddedInvoice): Promise<ExtensionSchema> {
  const { attachInvoice, invoiceSchema } = await invoices();
  attachInvoice(file, invoice);
  return invoiceSchema(invoice);
}

/** Has a step done that reads a file and writes one. */
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
