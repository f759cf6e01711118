import type { OfficeFormat } from './format.ts';
import { readData } from '@platen/templating/data';
import { errorOf } from '@platen/templating/errors';
import { FillError, type Partials, type TemplatingEngine } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import { TABLES } from './formats/table.ts';
import { booksOf, finishers, type Finishing, preparing, unitsOf } from './formats/index.ts';
import type { LoadedJob } from './job.ts';
import { withoutMarks } from './marks.ts';
import { OfficePackage } from './package.ts';
import { PictureRegistry } from './pictures/registry.ts';
import { type Plan, planParts } from './plan.ts';
import { checkProgram, programReferences, runProgram, syntaxError } from './run.ts';

/** Filling a document, from bytes to bytes; runs in a thread of its own (office.worker.ts). */

/** @throws PlatenError as `fillOffice` (index.ts) */
export async function fillDocument(job: LoadedJob): Promise<Uint8Array> {
  const file = await OfficePackage.open(job.bytes);
  const plan = await planFor(file, job.format, job.engine);
  if (plan.parts.length === 0) return job.bytes;
  const decoded = await runProgram(plan.program, job.engine, readRecord(job), withoutMarkedPartials(job));
  const books: Finishing['books'] = [];
  finishers[job.format]({
    file,
    plan,
    decoded,
    registry: new PictureRegistry(job.images),
    charts: [],
    books,
  });
  for (const book of books) file.set(book.path, await book.file.save());
  return await file.save();
}

/**
 * @returns the partials it names
 * @throws PlatenError `template_syntax`, `office_file_damaged`, `office_file_encrypted`
 */
export async function checkDocument(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<PlacedReference[]> {
  const plan = await planFor(await OfficePackage.open(bytes), format, engine);
  if (plan.parts.length === 0) return [];
  await checkProgram(plan.program, engine);
  return programReferences(plan.program, engine);
}

/** The text that the template language sees of a template: its tags with what stands around them. */
export async function documentText(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<string> {
  return (await planFor(await OfficePackage.open(bytes), format, engine)).program.source;
}

/** Partials are strangers' texts as data are: none may hold a mark. */
function withoutMarkedPartials({ partials = {}, time }: LoadedJob): { partials: Partials; time: number } {
  const plain = Object.entries(partials).map(([name, text]) => [name, withoutMarks(text)] as const);
  return { partials: Object.fromEntries(plain), time };
}

function readRecord({ data, images }: LoadedJob) {
  // The value of an image's variable is its own name: `<image src="{{logo}}">` is `<image src="logo">`.
  const addresses = Object.fromEntries([...images.keys()].map((uri) => [uri, uri]));
  try {
    return readData(withoutMarks(data), addresses);
  } catch (error) {
    throw error instanceof FillError ? errorOf(error.fault) : error;
  }
}

async function planFor(file: OfficePackage, format: OfficeFormat, engine: TemplatingEngine): Promise<Plan> {
  const books = await booksOf(file, format);
  try {
    return planParts(
      {
        file,
        format,
        table: TABLES[format],
        units: unitsOf(file, format),
        prepare: preparing(format),
        books,
      },
      engine,
    );
  } catch (error) {
    throw syntaxError(error);
  }
}
