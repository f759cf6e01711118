import type { OfficeFormat } from './format.ts';
import { readData } from '@platen/templating/data';
import { errorOf } from '@platen/templating/errors';
import type { UndefinedName } from '@platen/templating/found';
import { warningOfOther } from '@platen/templating/other-languages';
import { FillError, partialFile, type Partials, type TemplatingEngine } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import { TABLES } from './formats/table.ts';
import { booksOf, finishers, type Finishing, preparing, unitsOf } from './formats/index.ts';
import type { FilledDocument, LoadedJob } from './job.ts';
import { dropLeftovers, usesOf } from './leftovers.ts';
import { withoutMarks } from './marks.ts';
import { OfficePackage } from './package.ts';
import { importChunks } from './docx/chunks.ts';
import { warnOfFormulas } from './odf/formulas.ts';
import { subdocumentOf } from './docx/rich.ts';
import { Subdocument } from './docx/subdocument.ts';
import { isSameScope, readSubdocumentReference, type Scope, usedScope } from './subdocument-scopes.ts';
import { foreignIn } from './foreign.ts';
import { tagOfOtherLanguage } from './other-languages.ts';
import { PictureRegistry } from './pictures/registry.ts';
import { type Plan, planParts } from './plan.ts';
import { checkProgram, programReferences, runProgram, syntaxError } from './run.ts';

/** Fills a document, from bytes to bytes; runs in a worker thread (office.worker.ts). */

/** Maximum nesting of inserted documents. */
const MAX_DEPTH = 5;

/**
 * @param warn called with a sentence about something that the author should check
 * @param depth number of documents that enclose this one
 * @param variables further ones than the data, which win
 * @throws PlatenError as `fillOffice` (index.ts)
 */
export async function fillDocument(
  job: LoadedJob,
  warn: Finishing['warn'] = () => undefined,
  depth = 0,
  variables: Scope = new Map(),
): Promise<Pick<FilledDocument, 'bytes' | 'undefinedNames' | 'pictures'>> {
  const file = await opened(job, warn);
  const plan = await planFor(file, job.format, job.engine);
  if (hasNoTags(plan)) {
    const other = tagOfOtherLanguage(file, TABLES[job.format]);
    if (other !== null) warn(warningOfOther(other, other.part));
    return { bytes: job.bytes, undefinedNames: [], pictures: new Map() };
  }
  const uses = job.isPassedOn === true ? null : usesOf(file, job.format);
  const decoded = await runProgram(plan.program, job.engine, readRecord(job, variables), {
    ...withoutMarkedPartials(job),
    language: job.language,
  });
  const books: Finishing['books'] = [];
  const { undefinedNames } = decoded;
  const registry = new PictureRegistry(job.images, job.shown);
  const { unshown: pictures } = registry;
  const subdocuments = await filledSubdocuments(job, decoded, {
    warn,
    depth,
    variables,
    undefinedNames,
    pictures,
  });
  finishers[job.format]({
    file,
    plan,
    decoded,
    registry,
    warn,
    isPassedOn: job.isPassedOn === true,
    charts: [],
    books,
    subdocuments,
  });
  if (uses !== null) dropLeftovers(file, job.format, uses);
  for (const book of books) if (file.has(book.path)) file.set(book.path, book.file.save());
  return { bytes: file.save(job.isPassedOn), undefinedNames, pictures };
}

/**
 * @returns the partials that the template names
 * @throws PlatenError `template_syntax`, `office_file_damaged`, `office_file_encrypted`
 */
export async function checkDocument(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<PlacedReference[]> {
  const plan = await planFor(await opened({ bytes, format }), format, engine);
  if (hasNoTags(plan)) return [];
  await checkProgram(plan.program, engine);
  return programReferences(plan.program, engine);
}

/** The tag that is all that a document holds belongs to no part of it. */
function hasNoTags({ parts, program }: Plan): boolean {
  return parts.length === 0 && program.source === '';
}

/** Returns the text of a template as the template language sees it: its tags with their surroundings. */
export async function documentText(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<string> {
  return (await planFor(await opened({ bytes, format }), format, engine)).program.source;
}

/** Returns a template with the documents that it imports as content. */
async function opened(
  { bytes, format }: Pick<LoadedJob, 'bytes' | 'format'>,
  warn: Finishing['warn'] = () => undefined,
): Promise<OfficePackage> {
  const file = await OfficePackage.open(bytes);
  if (format === 'docx') await importChunks(file, warn);
  if (format.startsWith('od')) warnOfFormulas(file, warn);
  return file;
}

/** Removes mark characters from partials, which are untrusted like data. */
function withoutMarkedPartials({ partials = {}, time, format }: LoadedJob): {
  partials: Partials;
  time: number;
  documents: boolean;
} {
  const plain = Object.entries(partials).map(([name, text]) => [name, withoutMarks(text)] as const);
  return { partials: Object.fromEntries(plain), time, documents: format === 'docx' };
}

/**
 * Returns the documents to insert by their references, each filled with the same record and the variables of its place.
 *
 * @param inside the depth and its variables, and what receives the findings of all of them
 */
async function filledSubdocuments(
  job: LoadedJob,
  { parts, subdocumentScopes }: Awaited<ReturnType<typeof runProgram>>,
  inside: {
    warn: Finishing['warn'];
    depth: number;
    variables: Scope;
    undefinedNames: UndefinedName[];
    pictures: Map<string, Uint8Array>;
  },
): Promise<Map<string, Subdocument>> {
  const filled = new Map<string, Subdocument>();
  const texts = new Map<string, string>();
  /** The document that was filled last of each name. */
  const latest = new Map<string, { variables: Scope; document: Subdocument }>();
  for (const value of parts.flatMap(({ root }) => [...foreignIn(root)])) {
    const reference = subdocumentOf(value);
    if (reference === null || filled.has(reference)) continue;
    const { scope, name } = readSubdocumentReference(reference);
    const bytes = insertedDocument(job, name, inside.depth);
    const text = texts.get(name) ?? (await documentText(bytes, job.format, job.engine));
    texts.set(name, text);
    const variables = usedScope(new Map([...inside.variables, ...(subdocumentScopes[scope] ?? [])]), text);
    const last = latest.get(name);
    const isSame = last !== undefined && isSameScope(last.variables, variables);
    const document = isSame ? last.document : await filledWithin({ ...job, bytes }, name, variables, inside);
    latest.set(name, { variables, document });
    filled.set(reference, document);
  }
  return filled;
}

/** @throws PlatenError `template_render` for an unknown document, `template_budget` for too many inside each other */
function insertedDocument({ documents }: LoadedJob, name: string, depth: number): Uint8Array {
  const bytes = documents?.get(name);
  const message = `there is no docx partial ${JSON.stringify(name.slice(0, 200))}`;
  if (bytes === undefined) throw errorOf({ kind: 'render', message });
  if (depth < MAX_DEPTH) return bytes;
  throw errorOf({ kind: 'budget', message: `documents are nested more than ${MAX_DEPTH} deep` });
}

async function filledWithin(
  job: LoadedJob,
  name: string,
  variables: Scope,
  { warn, depth, undefinedNames, pictures }: Parameters<typeof filledSubdocuments>[2],
): Promise<Subdocument> {
  const inner = await fillDocument(job, warn, depth + 1, variables);
  for (const [key, picture] of inner.pictures) pictures.set(key, picture);
  const file = partialFile(name);
  for (const found of inner.undefinedNames) {
    const isKnown = undefinedNames.some((one) => one.file === file && one.name === found.name);
    if (!isKnown) undefinedNames.push({ ...found, file });
  }
  return new Subdocument(await OfficePackage.open(inner.bytes));
}

function readRecord({ data, images }: LoadedJob, variables: Scope) {
  // An image's variable has its own name as value: `<image src="{{logo}}">` becomes `<image src="logo">`.
  const addresses = Object.fromEntries([...images.keys()].map((uri) => [uri, uri]));
  try {
    const record = readData(withoutMarks(data), addresses);
    for (const [name, value] of variables) record.load(name, value);
    return record;
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
