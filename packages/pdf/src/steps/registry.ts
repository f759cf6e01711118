import type { MessagePort } from 'node:worker_threads';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { compress } from '../compress/index.ts';
import { conformantSaving, conformFile, notConformant, type Violation } from '../conformance/index.ts';
import { fillForm } from '../forms/fill.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import { embedFacturX } from '../operations/factur-x-task.ts';
import type { Draft } from './draft.ts';
import { TextSetter } from '../text/index.ts';
import { attach } from './attach.ts';
import { flatten } from './flatten.ts';
import { setMetadata } from './metadata.ts';
import { setOutline } from './outline.ts';
import { selectPages } from './pages.ts';
import { imposePages } from './impose.ts';
import { redact } from './redact/index.ts';
import { rotate } from './rotate.ts';
import { scalePages } from './scale.ts';
import { numberPages, putLetterhead, stamp } from './stamp.ts';
import type { StepOptions } from './types.ts';

/** The inputs of a step besides its options. */
export interface StepContext {
  /** Its name in errors: `steps[2].rotate`, or `rotate` if it is the only one. */
  place: string;
  /** Time of the execution, ISO 8601 in UTC, to the second. */
  now: string;
  /** Folder of the font files; null if the deployment has none. */
  fonts: string | null;
  /** Compiled PDFium; undefined if no step of the chain needs it. */
  pdfium: WebAssembly.Module | undefined;
  /** Channel to the code that prints html; undefined if no step of the chain has html, or nothing prints it. */
  printer: MessagePort | undefined;
  /** Receives notes about the result. */
  findings: StepFindings;
}

/** The findings about a document after all steps. */
export interface StepFindings {
  /** Violations that only the author can repair, if they are not an error. */
  violations: Violation[];
  /** Notes about filled forms, redacted words, and changed claims. */
  notes: PdfNote[];
}

type Run<N extends keyof StepOptions> = (
  draft: Draft,
  options: StepOptions[N],
  context: StepContext,
) => Promise<void>;

/** Steps that are executed once per chain, when files are read and written (run.ts). */
export type Framing = 'decrypt' | 'merge' | 'encrypt' | 'linearize';

/** Every step that changes the document at its position. */
export const RUN: { readonly [N in Exclude<keyof StepOptions, Framing>]: Run<N> } = {
  pages: async (draft, options, { place, findings }) => {
    findings.notes.push(...(await selectPages(draft, options, place)));
  },
  rotate: inMemory((file, options, { place }) => rotate(file, options, place)),
  scale: inMemory((file, options) => scalePages(file, options)),
  impose: inMemory((file, options, { place }) => imposePages(file, options, place)),
  stamp: inMemory((file, options, context) => stamp(file, options, { ...context, where: 'over' })),
  watermark: inMemory((file, options, context) => stamp(file, options, { ...context, where: 'under' })),
  page_numbers: inMemory((file, options, { place, texts }) => numberPages(file, options, place, texts)),
  letterhead: inMemory((file, options, { place }) => putLetterhead(file, options, place)),
  attach: inMemory((file, options, { now }) => attach(file, options, now)),
  outline: inMemory((file, options, { place }) => setOutline(file, options, place)),
  metadata: inMemory((file, options, { now, findings }) => {
    findings.notes.push(...setMetadata(file, options, now));
  }),
  redact: async (draft, options, { place, pdfium, findings }) => {
    if (pdfium === undefined) throw new Error('redacting needs PDFium');
    const note = await redact(await draft.settled(), options, place, pdfium);
    if (note !== undefined) findings.notes.push(note);
  },
  fill: (draft, options, context) => fill(draft, options, context),
  flatten: (draft, _options, context) => flatten(draft, context),
  compress: (draft, options) =>
    draft.rewrite((input, output) => compress(draft.engine, { input, output, options })),
  conform: (draft, options, context) => conform(draft, options, context),
  factur_x: (draft, options, context) => embedIn(draft, options, context),
};

/** Fills the fields of the document's form. */
async function fill(
  draft: Draft,
  options: StepOptions['fill'],
  { place, fonts, findings: told }: StepContext,
): Promise<void> {
  if (fonts === null) throw new PlatenError('engine_missing', 'The fonts are not installed.');
  const file = await draft.settled();
  try {
    const how = { ...options, flatten: false, appends: draft.isAppendedTo };
    told.notes.push(...(await fillForm(file, new TextSetter(file, fonts), how)));
  } catch (error) {
    throw isPlatenError(error) ? within(place, error) : error;
  }
}

/** An error whose fields are members of a step. */
function within(place: string, { code, message, faults, cause }: PlatenError): PlatenError {
  const placed = faults.map((fault) => ({ ...fault, field: `${place}.${fault.field}` }));
  return new PlatenError(code, message, { faults: placed, cause });
}

/** Makes the document conform to levels of PDF/A and PDF/UA, and declares them. */
async function conform(
  draft: Draft,
  options: StepOptions['conform'],
  { place, findings: told, fonts }: StepContext,
): Promise<void> {
  const file = await draft.settled();
  // A chain of steps accepts a signed file only if its signatures may become invalid.
  const { violations, notes } = await conformFile(file, { ...options, fonts, breakSignatures: true });
  if (violations.length > 0 && options.onViolation !== 'warn') {
    throw notConformant(violations, options.levels, options.field ?? `${place}.conformance`);
  }
  told.violations.push(...violations);
  told.notes.push(...notes);
  draft.saveAs(conformantSaving(file));
}

/**
 * Embeds an invoice, and makes the document PDF/A-3. Callers that have accepted a document without the claim in the
 * step `conform` accept it here as well.
 */
async function embedIn(
  draft: Draft,
  options: StepOptions['factur_x'],
  { place, findings: told, fonts }: StepContext,
): Promise<void> {
  const { onViolation = told.violations.length > 0 ? 'warn' : 'error' } = options;
  const { violations, notes } = await draft.rewrite((input, output) =>
    embedFacturX(draft.engine, {
      ...options,
      input,
      output,
      fonts,
      onViolation,
      field: options.field ?? `${place}.conformance`,
    }),
  );
  told.violations.push(...violations);
  told.notes.push(...notes);
}

/** Returns the text setter of the document, which is created on demand. */
interface OpenedContext extends StepContext {
  texts: () => TextSetter;
}

/** A step on the opened document: consecutive ones open and write it once. */
function inMemory<N extends keyof StepOptions>(
  run: (file: PdfFile, options: StepOptions[N], context: OpenedContext) => void | Promise<void>,
): Run<N> {
  return async (draft, options, context) => {
    const file = await draft.opened();
    await run(file, options, { ...context, texts: () => draft.texts(file, context.fonts) });
  };
}
