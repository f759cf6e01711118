import type { Dict } from '@platen/jinja';
import { BudgetError, TemplateError } from '@platen/jinja';
import { PlatenError } from '@platen/core/errors';
import { adviceFor } from '@platen/templating/advice';
import { errorOf } from '@platen/templating/errors';
import { missingPartial } from '@platen/templating/liquid-partials';
import type { FoundPlace } from '@platen/templating/found';
import type { Partials, TemplatingEngine } from '@platen/templating/protocol';
import { distinct, type PlacedReference, referencesOf } from '@platen/templating/references';
import { decode, type Decoded, TooManyNodes } from './decode.ts';
import { BrokenStructure } from './held.ts';
import { compile, type Compiled, type Ran, errorInPartial, errorOffset } from './interpret.ts';
import type { LoadedJob } from './job.ts';
import { TemplateFault } from './paragraphs.ts';
import type { Program, WrittenTag } from './program.ts';
import type { Place } from './tags.ts';

/** Runs a program and reports errors of a template with their places in the document. */

/** @throws PlatenError `template_syntax` */
export async function checkProgram(program: Program, engine: TemplatingEngine): Promise<void> {
  await compiled(program, engine, 10_000, {}, true);
}

/** Returns the references of a program, each once, with the document place of the first occurrence. */
export function programReferences({ source, places }: Program, engine: TemplatingEngine): PlacedReference[] {
  let at = 0;
  return distinct(referencesOf(source, engine)).map(({ offset, ...reference }) => {
    while ((places[at + 1]?.offset ?? Infinity) <= offset) at += 1;
    const { place, tag } = places[at] ?? { place: { part: 'template', paragraph: 0 }, tag: '' };
    return { ...reference, place: placeOf(place, tag) };
  });
}

/** Returns a place for errors: in an office document, the line is the paragraph. */
function placeOf({ part, paragraph, cell }: Place, tag: string): FoundPlace {
  return {
    file: part,
    ...(cell === undefined ? {} : { cell }),
    ...(paragraph > 0 ? { line: paragraph } : {}),
    source: tag.slice(0, 160).toWellFormed(),
  };
}

/** @throws PlatenError `template_syntax`, `template_render`, `template_budget` */
export async function runProgram(
  program: Program,
  engine: TemplatingEngine,
  data: Dict,
  {
    time,
    partials,
    documents,
    language,
  }: { time: number; partials: Partials; documents: boolean } & Pick<LoadedJob, 'language'>,
): Promise<Decoded & Omit<Ran, 'output'>> {
  const ready = await compiled(program, engine, time, partials, documents, language);
  let ran: Ran;
  try {
    ran = await ready.run(data, (offset) => {
      const found = writtenAt(offset, program);
      return found === undefined ? { file: 'template', source: '' } : placeOf(found.place, found.tag);
    });
  } catch (error) {
    throw placed('render', error, program);
  }
  try {
    const { output, ...found } = ran;
    return { ...decode(output, program), ...found };
  } catch (error) {
    if (error instanceof TooManyNodes)
      throw new PlatenError('template_budget', 'The filled document is too large.');
    if (!(error instanceof BrokenStructure)) throw error;
    throw new PlatenError('template_render', `The template cannot be filled: ${error.message}.`, {
      faults: [{ field: 'template', message: error.message }],
      cause: error,
    });
  }
}

async function compiled(
  program: Program,
  engine: TemplatingEngine,
  time: number,
  partials: Partials,
  documents: boolean,
  language?: LoadedJob['language'],
): Promise<Compiled> {
  const compiledFrom = (source: string): Promise<Compiled> =>
    compile(source, engine, { time }, partials, documents, language);
  try {
    return await compiledFrom(program.source);
  } catch (error) {
    const tag = writtenAt(errorOffset(error, program.source), program)?.tag;
    if (!(error instanceof TemplateError) || tag?.startsWith('{{') !== true)
      throw placed('syntax', error, program);
    // The program has the tag within a longer expression, of which the author of the template knows nothing.
    const own = await compiledFrom(tag).then(
      () => error,
      (found: unknown) => found,
    );
    throw placed('syntax', error, program, own instanceof TemplateError ? own.message : error.message);
  }
}

const CODES = { syntax: 'template_syntax', render: 'template_render' } as const;

/** Returns the error of an interpreter with the place of its tag in the document. */
function placed(
  kind: keyof typeof CODES,
  error: unknown,
  program: Program,
  told = error instanceof Error ? error.message : '',
): unknown {
  if (error instanceof RangeError && /call stack/.test(error.message))
    return new PlatenError('template_budget', 'The template nests too deeply.', { cause: error });
  const isLiquid = error instanceof Error && 'token' in error;
  if (!(error instanceof TemplateError) && !isLiquid) return error;
  const words = (
    missingOf(error) ??
    told.split(/, (?:file:[^,\n]*, )?line:\d+, col:\d+/u, 1)[0] ??
    ''
  ).replace(/\.$/, '');
  const cause: unknown = 'originalError' in error ? error.originalError : error;
  const isBudget = cause instanceof BudgetError || /limit exceeded|^Invalid string length/.test(words);
  const within = errorInPartial(error);
  if (within !== null) return errorOf({ ...within, kind: isBudget ? 'budget' : 'render', message: words });
  const offset = errorOffset(error, program.source);
  const isOpen = program.unclosed !== null && words.startsWith('Unexpected end of template');
  const entry = isOpen ? program.unclosed : writtenAt(offset, program);
  // Names of internal filters and marks would not help the author of the template.
  const message = words.replace(/[\ufdd0-\ufdef]/g, '').replace(/\bplaten_\w+/g, 'output');
  return faultError(isBudget ? 'template_budget' : CODES[kind], message, entry, error);
}

/** Returns the tag at an offset of a program's source. */
function writtenAt(offset: number | undefined, { places }: Program): WrittenTag | undefined {
  return offset === undefined ? undefined : places.findLast((place) => place.offset <= offset);
}

/** Returns the missing partial in an error; null for any other error. */
function missingOf(error: Error): string | null {
  if (error instanceof TemplateError && error.kind === 'TemplateNotFound')
    return `there is no partial ${JSON.stringify(error.message.slice(0, 200))}`;
  return missingPartial(error.message);
}

function faultError(
  code: 'template_syntax' | 'template_render' | 'template_budget',
  words: string,
  entry: { place: Place; tag: string } | null | undefined,
  cause: unknown,
): PlatenError {
  const verb = code === 'template_syntax' ? 'be parsed' : 'be filled';
  const message = words + adviceFor(words, entry?.tag ?? '');
  if (entry == null) {
    return new PlatenError(code, `The template cannot ${verb}: ${message}.`, {
      faults: [{ field: 'template', message }],
      cause,
    });
  }
  const { place, tag } = entry;
  const where = place.cell ?? (place.paragraph > 0 ? `paragraph ${place.paragraph}` : null);
  const { source } = placeOf(place, tag);
  return new PlatenError(
    code,
    `The template cannot ${verb}: ${place.part}${where === null ? '' : `, ${where}`}, ${source}: ${message}.`,
    {
      faults: [
        {
          field: 'template',
          ...placeOf(place, tag),
          message,
        },
      ],
      cause,
    },
  );
}

/** Returns the error for a fault that was found before interpretation. */
export function syntaxError(error: unknown): unknown {
  if (!(error instanceof TemplateFault)) return error;
  return faultError('template_syntax', error.message, { place: error, tag: error.source }, error);
}
