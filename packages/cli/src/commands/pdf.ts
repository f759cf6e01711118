import { readFile } from 'node:fs/promises';
import {
  type Command,
  type Context,
  optionsJson,
  pair,
  parse,
  single,
  unknownName,
  UsageError,
} from '../command.ts';
import { byField, isFile, type LocalFile, localFile, save, saveOrPrint } from '../files.ts';
import { runAsJob } from '../jobs.ts';

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  'input-password': { type: 'string' },
  password: { type: 'string' },
  'owner-password': { type: 'string' },
  permission: { type: 'string', multiple: true },
  pages: { type: 'string' },
  groups: { type: 'string' },
  quality: { type: 'string' },
  'max-dpi': { type: 'string' },
  linearize: { type: 'boolean' },
  set: { type: 'string', multiple: true },
  format: { type: 'string', default: 'png' },
  dpi: { type: 'string' },
  option: { type: 'string', multiple: true },
  steps: { type: 'string' },
  field: { type: 'string', multiple: true },
  part: { type: 'string', multiple: true },
} as const;

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values'];

/** One request of the group: its path, its text fields, and the number of files it takes. */
interface Work {
  path: string;
  fields: Record<string, string | undefined>;
}

export const pdf: Command = {
  summary: 'merge, split, compress, encrypt, … PDFs',
  usage: `platen pdf merge FILE FILE…
platen pdf split FILE --pages 2,5-7        the pages as one PDF
platen pdf split FILE --groups 1-3,4-6,7   a ZIP with one PDF for each
platen pdf compress FILE [--quality high] [--max-dpi 150] [--linearize]
platen pdf encrypt FILE [--password TEXT] [--owner-password TEXT] [--permission print=false]…
platen pdf metadata FILE --set Title=TEXT…
platen pdf image FILE [--format png] [--dpi 150] [--pages 1-3]
platen pdf process --steps chain.json FILE… [--part logo=logo.png]…
platen pdf ACTION FILE [--field angle=90]… [--part image=logo.png]…
platen pdf url ADDRESS [--option name=value]…

  --output           where to save it; - is standard output; by default the name from the service, and standard
                     output for the JSON and text of info, form, text, verify and attachments
  --input-password   opens protected files
  ACTION             attach, attachments, conform, decrypt, factur-x, fill, flatten, form, impose, info, letterhead,
                     linearize, outline, page-numbers, pages, redact, rotate, scale, sign, stamp, text, verify, watermark
  --steps            a file with the list of steps
  --field            a field of the action, such as words='["Name"]'
  --part             a file that is sent under that name
  --quality          lossless (the default), high, medium, low
  --set              Title, Author, Subject, Keywords, CreationDate=2026-03-01, …; nothing after the = removes it
  FILE               - is standard input; upload:<id> is an uploaded file`,
  async run(args, context) {
    const { values, positionals } = parse(args, OPTIONS, (option) =>
      ACTIONS.has(args[0] ?? '') ? ` A field of ${args[0]} is written as --field ${option}=VALUE.` : '',
    );
    const [action, ...operands] = positionals;
    if (action === 'url') {
      const fields = { url: single(operands, 'ADDRESS'), render_options: optionsJson(values.option) };
      const { body } = await context.client.form(fields);
      const answer = await context.client.call('POST', '/pdf/url', { body, signal: context.signal });
      await save(answer, values.output, context.say);
      return;
    }
    const work = action === 'process' ? await processing(values) : workOf(action, values);
    if (action === 'process') {
      if (operands.length === 0) throw new UsageError('FILE is missing.');
    } else if (action !== 'merge') single(operands, 'FILE');
    else if (operands.length < 2) throw new UsageError('At least two files are needed.');
    await transform(work, operands, values, context);
  },
};

/** @throws UsageError */
function workOf(action: string | undefined, values: Values): Work {
  switch (action) {
    case 'merge':
      return { path: '/pdf/merge', fields: {} };
    case 'split':
      return splitting(values);
    case 'compress': {
      const { quality, 'max-dpi': dpi, linearize } = values;
      return {
        path: '/pdf/compress',
        fields: { options: JSON.stringify({ quality, max_dpi: dpi, linearize }) },
      };
    }
    case 'encrypt': {
      const { password, 'owner-password': owner_password, permission } = values;
      if ((password ?? owner_password) === undefined) throw new UsageError('--password is missing.');
      const permissions = optionsJson(permission);
      return { path: '/pdf/encrypt', fields: { password, owner_password, permissions } };
    }
    case 'metadata': {
      if (values.set === undefined) throw new UsageError('--set is missing.');
      const metadata = Object.fromEntries(values.set.map((text) => pair('--set', text)));
      return { path: '/pdf/metadata', fields: { metadata: JSON.stringify(metadata) } };
    }
    case 'image': {
      const { format, dpi, pages } = values;
      return { path: `/pdf/image/${encodeURIComponent(format)}`, fields: { dpi, pages } };
    }
    default:
      if (action !== undefined && ACTIONS.has(action)) {
        return { path: PATHS[action] ?? `/pdf/${action}`, fields: fieldsOf(values) };
      }
      if (action === undefined) throw new UsageError('ACTION is missing.');
      throw unknownName('command pdf', action, [...OWN_ACTIONS, ...ACTIONS]);
  }
}

/** Actions with options of their own. */
const OWN_ACTIONS = ['merge', 'split', 'compress', 'encrypt', 'metadata', 'image', 'process', 'url'];

/** Actions that have the same name in the service and pass their fields on unchanged. */
const ACTIONS = new Set(
  (
    'attach attachments conform decrypt factur-x fill flatten form impose info letterhead linearize outline ' +
    'page-numbers pages redact rotate scale sign stamp text verify watermark'
  ).split(' '),
);

/** Actions whose path differs from their name. */
const PATHS: Readonly<Record<string, string>> = { fill: '/pdf/form/fill' };

/** @throws UsageError */
function fieldsOf({ field = [], password, pages }: Values): Record<string, string | undefined> {
  return { password, pages, ...Object.fromEntries(field.map((text) => pair('--field', text))) };
}

/** @throws UsageError for a file that cannot be read */
async function processing(values: Values): Promise<Work> {
  if (values.steps === undefined) throw new UsageError('--steps is missing.');
  try {
    return {
      path: '/pdf/process',
      fields: { ...fieldsOf(values), steps: await readFile(values.steps, 'utf8') },
    };
  } catch (error) {
    throw new UsageError(
      `--steps ${values.steps} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function splitting({ pages, groups }: Values): Work {
  if ((pages === undefined) === (groups === undefined)) throw new UsageError('Give --pages or --groups.');
  if (groups !== undefined) {
    const splits = JSON.stringify(groups.split(',').map((group) => pageNumbers(group)));
    return { path: '/pdf/split-zip', fields: { splits } };
  }
  const numbers = (pages ?? '').split(',').flatMap((part) => {
    const [first = 0, last = first] = pageNumbers(part);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
  // Two numbers in one group would mean a range.
  const [first = 0, second = first] = numbers;
  if (numbers.length === 2 && second !== first + 1) {
    throw new UsageError(
      `--pages ${pages}: two pages that do not follow one another make two PDFs; use --groups.`,
    );
  }
  return { path: '/pdf/split', fields: { splits: JSON.stringify(numbers) } };
}

/** Parses `5` or `2-7` into a group of page numbers for the service. @throws UsageError */
function pageNumbers(text: string): number[] {
  const [, first, last] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(text) ?? [];
  if (first === undefined) throw new UsageError(`"${text}" is not a page such as 5 or a range such as 2-7.`);
  return last === undefined ? [Number(first)] : [Number(first), Number(last)];
}

async function transform(
  { path, fields }: Work,
  operands: readonly string[],
  values: Values,
  context: Context,
): Promise<void> {
  const { client, signal } = context;
  const all: Record<string, string | undefined> = { ...fields, input_password: values['input-password'] };
  const files: LocalFile[] = [];
  for (const [index, operand] of operands.entries()) {
    const field = operands.length === 1 ? 'file' : `file${index + 1}`;
    if (operand.startsWith('upload:') && !(await isFile(operand))) all[field] = operand;
    else files.push(await localFile(field, operand, 'input.pdf'));
  }
  for (const text of values.part ?? []) {
    const [name, path] = pair('--part', text);
    if (path === '') throw new UsageError(`--part ${text}: the file is missing.`);
    if (path.startsWith('upload:') && !(await isFile(path))) all[name] = path;
    else files.push(await localFile(name, path, name));
  }
  const form = await client.form(all, byField(files));
  if (form.isLarge) await runAsJob({ path, form, output: values.output, wait: true }, context);
  else
    await saveOrPrint(await client.call('POST', path, { body: form.body, signal }), values.output, context);
}
