import type { OfficeFormat } from '../../shared/formats/office.ts';
import { readData } from '../fill/data.ts';
import { errorOf } from '../fill/errors.ts';
import { FillError, type TemplatingEngine } from '../fill/protocol.ts';
import { finishDocx } from './docx/finish.ts';
import type { LoadedJob } from './job.ts';
import { withoutMarks } from './marks.ts';
import { OfficePackage } from './package.ts';
import { PictureRegistry } from './pictures/registry.ts';
import { type Program, ProgramWriter } from './program.ts';
import { checkProgram, runProgram, syntaxError } from './run.ts';
import { readPart, tableOf, type TemplatePart } from './template.ts';

/** Filling a document, from bytes to bytes; runs in a thread of its own (office.worker.ts). */

interface Plan {
  parts: TemplatePart[];
  program: Program;
}

/** @throws PlatenError as `fillOffice` (index.ts) */
export async function fillDocument(job: LoadedJob): Promise<Uint8Array> {
  const file = await OfficePackage.open(job.bytes);
  const { parts, program } = plan(file, job.format, job.engine);
  if (parts.length === 0) return job.bytes;
  const data = readRecord(job);
  const { parts: filled } = await runProgram(program, job.engine, data, job.time);
  const registry = new PictureRegistry(job.images);
  for (const { number, root } of filled) {
    const part = parts[number];
    if (part === undefined) continue;
    finishDocx(root, part.path, file, registry);
    file.setXml(part.path, { prolog: part.prolog, root });
  }
  return await file.save();
}

/** @throws PlatenError `template_syntax`, `office_file_damaged`, `office_file_encrypted` */
export async function checkDocument(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<void> {
  const file = await OfficePackage.open(bytes);
  const { parts, program } = plan(file, format, engine);
  if (parts.length > 0) await checkProgram(program, engine);
}

function readRecord({ data, images }: LoadedJob) {
  const addresses = Object.fromEntries([...images.keys()].map((uri) => [uri, uri]));
  try {
    return readData(withoutMarks(data), addresses);
  } catch (error) {
    throw error instanceof FillError ? errorOf(error.fault) : error;
  }
}

function plan(file: OfficePackage, format: OfficeFormat, engine: TemplatingEngine): Plan {
  const table = tableOf(format);
  try {
    const parts = file
      .paths()
      .filter((path) => table.parts.test(path))
      .map((path) => readPart(file, path, table))
      .filter((part) => part !== null);
    const writer = new ProgramWriter(engine, table);
    parts.forEach((part, number) => writer.writePart(number, part.root));
    return { parts, program: writer.finish() };
  } catch (error) {
    throw syntaxError(error);
  }
}
