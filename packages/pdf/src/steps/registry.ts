import type { MessagePort } from 'node:worker_threads';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { compress } from '../compress/index.ts';
import { conformantSaving, conformFile, notConformant, type Violation } from '../conformance/index.ts';
import { embedInvoice, versionFor } from '../factur-x/index.ts';
import { fillForm } from '../forms/fill.ts';
import type { PdfFile } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
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
  /** How errors name it: `steps[2].rotate`, or `rotate` where it is the only one. */
  place: string;
  /** When the chain is carried out, ISO 8601 in UTC, to the second. */
  now: string;
  /** Folder of the font files; null where the deployment has none. */
  fonts: string | null;
  /** PDFium, compiled; undefined where no step of the chain needs it. */
  pdfium: WebAssembly.Module | undefined;
  /** To what prints html; undefined where no step of the chain has some, or nothing prints it. */
  printer: MessagePort | undefined;
  /** What there is to say of the result. */
  told: Told;
}

/** The findings about a document that has gone through steps. */
export interface Told {
  /** What only the author can repair, where that is no error. */
  violations: Violation[];
  /** Of forms that were filled, and of what is claimed otherwise than before. */
  notes: PdfNote[];
}

type Run<N extends keyof StepOptions> = (
  draft: Draft,
  options: StepOptions[N],
  context: StepContext,
) => Promise<void>;

/** Steps that are carried out when files are read and written, once for a chain (run.ts). */
export type Framing = 'decrypt' | 'merge' | 'encrypt' | 'linearize';

/** Every step that changes the document in its turn. */
export const RUN: { readonly [N in Exclude<keyof StepOptions, Framing>]: Run<N> } = {
  pages: (draft, options, { place }) => selectPages(draft, options, place),
  rotate: inMemory((file, options, { place }) => rotate(file, options, place)),
  scale: inMemory((file, options) => scalePages(file, options)),
  impose: inMemory((file, options, { place }) => imposePages(file, options, place)),
  stamp: inMemory((file, options, context) => stamp(file, options, { ...context, where: 'over' })),
  watermark: inMemory((file, options, context) => stamp(file, options, { ...context, where: 'under' })),
  page_numbers: inMemory((file, options, { place, texts }) => numberPages(file, options, place, texts)),
  letterhead: inMemory((file, options, { place }) => putLetterhead(file, options, place)),
  attach: inMemory((file, options, { now }) => attach(file, options, now)),
  outline: inMemory((file, options, { place }) => setOutline(file, options, place)),
  metadata: inMemory((file, options, { now }) => setMetadata(file, options, now)),
  redact: async (draft, options, { place, pdfium }) => {
    if (pdfium === undefined) throw new Error('redacting needs PDFium');
    await redact(await draft.settled(), options, place, pdfium);
  },
  fill: (draft, options, context) => fill(draft, options, context),
  flatten: (draft, _options, context) => flatten(draft, context),
  compress: (draft, options) =>
    draft.rewrite((input, output) => compress(draft.engine, { input, output, options })),
  conform: (draft, options, context) => conform(draft, options, context),
  factur_x: async (draft, { invoice }) => {
    const file = await draft.opened();
    embedInvoice(file, invoice);
    draft.saveAs({ version: versionFor(file) });
  },
};

/** Fills the fields of the document's form. */
async function fill(
  draft: Draft,
  options: StepOptions['fill'],
  { place, fonts, told }: StepContext,
): Promise<void> {
  if (fonts === null) throw new PlatenError('engine_missing', 'The fonts are not installed.');
  const file = await draft.settled();
  try {
    told.notes.push(...(await fillForm(file, new TextSetter(file, fonts), { ...options, flatten: false })));
  } catch (error) {
    throw isPlatenError(error) ? within(place, error) : error;
  }
}

/** An error whose fields are members of a step. */
function within(place: string, { code, message, faults, cause }: PlatenError): PlatenError {
  const placed = faults.map((fault) => ({ ...fault, field: `${place}.${fault.field}` }));
  return new PlatenError(code, message, { faults: placed, cause });
}

/** Has the document claim levels of PDF/A and PDF/UA. */
async function conform(
  draft: Draft,
  options: StepOptions['conform'],
  { place, told, fonts }: StepContext,
): Promise<void> {
  const file = await draft.settled();
  // A chain of steps takes a signed file only where its signatures may be broken.
  const { violations, notes } = await conformFile(file, { ...options, fonts, breakSignatures: true });
  if (violations.length > 0 && options.onViolation !== 'warn') {
    throw notConformant(violations, options.levels, `${place}.conformance`);
  }
  told.violations.push(...violations);
  told.notes.push(...notes);
  draft.saveAs(conformantSaving(file));
}

/** What sets text in the document, made where it is needed. */
interface OpenedContext extends StepContext {
  texts: () => TextSetter;
}

/** A step on the opened document: several of them in a row open and write it once. */
function inMemory<N extends keyof StepOptions>(
  run: (file: PdfFile, options: StepOptions[N], context: OpenedContext) => void | Promise<void>,
): Run<N> {
  return async (draft, options, context) => {
    const file = await draft.opened();
    await run(file, options, { ...context, texts: () => draft.texts(file, context.fonts) });
  };
}
