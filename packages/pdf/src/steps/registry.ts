import type { MessagePort } from 'node:worker_threads';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import type { Violation } from '../conformance/index.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import type { Draft } from './draft.ts';
import type { TextSetter } from '../text/index.ts';
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

/** Every step that changes the document at its position. Their code is loaded on demand: a chain needs little of it. */
export const RUN: { readonly [N in Exclude<keyof StepOptions, Framing>]: Run<N> } = {
  pages: async (draft, options, { place, findings }) => {
    const { selectPages } = await import('./pages.ts');
    findings.notes.push(...(await selectPages(draft, options, place)));
  },
  rotate: inMemory(async (file, options, { place }) =>
    (await import('./rotate.ts')).rotate(file, options, place),
  ),
  scale: inMemory(async (file, options) => (await import('./scale.ts')).scalePages(file, options)),
  impose: inMemory(async (file, options, { place }) =>
    (await import('./impose.ts')).imposePages(file, options, place),
  ),
  stamp: withTexts(async (file, options, context) =>
    (await import('./stamp.ts')).stamp(file, options, { ...context, where: 'over' }),
  ),
  watermark: withTexts(async (file, options, context) =>
    (await import('./stamp.ts')).stamp(file, options, { ...context, where: 'under' }),
  ),
  page_numbers: withTexts(async (file, options, { place, texts }) =>
    (await import('./stamp.ts')).numberPages(file, options, place, texts),
  ),
  letterhead: inMemory(async (file, options, { place }) =>
    (await import('./stamp.ts')).putLetterhead(file, options, place),
  ),
  attach: inMemory(async (file, options, { now }) =>
    (await import('./attach.ts')).attach(file, options, now),
  ),
  outline: inMemory(async (file, options, { place }) =>
    (await import('./outline.ts')).setOutline(file, options, place),
  ),
  metadata: inMemory(async (file, options, { now, findings }) => {
    const { setMetadata } = await import('./metadata.ts');
    findings.notes.push(...setMetadata(file, options, now));
  }),
  redact: async (draft, options, { place, pdfium, findings }) => {
    if (pdfium === undefined) throw new Error('redacting needs PDFium');
    const { redact } = await import('./redact/index.ts');
    const note = await redact(await draft.settled(), options, place, pdfium);
    if (note !== undefined) findings.notes.push(note);
  },
  fill: (draft, options, context) => fill(draft, options, context),
  flatten: async (draft, _options, context) => (await import('./flatten.ts')).flatten(draft, context),
  compress: async (draft, options) => {
    const { compress } = await import('../compress/index.ts');
    await draft.rewrite((input, output) => compress(draft.engine, { input, output, options }));
  },
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
  const [{ fillForm }, { TextSetter }] = await Promise.all([
    import('../forms/fill.ts'),
    import('../text/index.ts'),
  ]);
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
  const { conformantSaving, conformFile, notConformant } = await import('../conformance/index.ts');
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
  const { embedFacturX } = await import('../operations/factur-x-task.ts');
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

/** A step on the opened document: consecutive ones open and write it once. */
function inMemory<N extends keyof StepOptions>(
  run: (file: PdfFile, options: StepOptions[N], context: StepContext) => Promise<void>,
): Run<N> {
  return async (draft, options, context) => run(await draft.opened(), options, context);
}

interface TextContext extends StepContext {
  /** Returns the text setter of the document, which is created on demand. */
  texts: () => TextSetter;
}

/** Such a step that may set text. */
function withTexts<N extends keyof StepOptions>(
  run: (file: PdfFile, options: StepOptions[N], context: TextContext) => Promise<void>,
): Run<N> {
  return async (draft, options, context) => {
    const { TextSetter: Texts } = await import('../text/index.ts');
    const file = await draft.opened();
    await run(file, options, { ...context, texts: () => draft.texts(file, context.fonts, Texts) });
  };
}
