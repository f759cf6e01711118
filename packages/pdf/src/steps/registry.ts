import { compress } from '../compress/index.ts';
import type { PdfFile } from '../model/index.ts';
import type { Draft } from './draft.ts';
import type { TextSetter } from '../text/index.ts';
import { attach } from './attach.ts';
import { flatten } from './flatten.ts';
import { setMetadata } from './metadata.ts';
import { setOutline } from './outline.ts';
import { selectPages } from './pages.ts';
import { rotate } from './rotate.ts';
import { numberPages, putLetterhead, stamp } from './stamp.ts';
import type { StepOptions } from './types.ts';

/** What a step knows besides its options. */
export interface StepContext {
  /** How errors name it: `steps[2].rotate`, or `rotate` where it is the only one. */
  place: string;
  /** When the chain is carried out, ISO 8601 in UTC, to the second. */
  now: string;
  /** Folder of the font files; null where the deployment has none. */
  fonts: string | null;
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
  stamp: inMemory((file, options, { place, texts }) => stamp(file, options, place, 'over', texts)),
  watermark: inMemory((file, options, { place, texts }) => stamp(file, options, place, 'under', texts)),
  page_numbers: inMemory((file, options, { place, texts }) => numberPages(file, options, place, texts)),
  letterhead: inMemory((file, options, { place }) => putLetterhead(file, options, place)),
  attach: inMemory((file, options, { now }) => attach(file, options, now)),
  outline: inMemory((file, options, { place }) => setOutline(file, options, place)),
  metadata: inMemory((file, options, { now }) => setMetadata(file, options, now)),
  flatten: (draft) => flatten(draft),
  compress: (draft, options) =>
    draft.rewrite((input, output) => compress(draft.engine, { input, output, options })),
};

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
