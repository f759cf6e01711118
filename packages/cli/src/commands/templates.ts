import path from 'node:path';
import {
  type Command,
  type Context,
  optionsJson,
  parse,
  single,
  unknownName,
  UsageError,
} from '../command.ts';
import { byField, localFile, namedImage, save } from '../files.ts';

interface Template {
  id: string;
  name: string;
  format: string;
  timestamp: string;
}

const OPTIONS = {
  limit: { type: 'string' },
  tag: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  name: { type: 'string' },
  format: { type: 'string' },
  description: { type: 'string' },
  header: { type: 'string' },
  footer: { type: 'string' },
  style: { type: 'string', multiple: true },
  image: { type: 'string', multiple: true },
  option: { type: 'string', multiple: true },
  output: { type: 'string', short: 'o' },
} as const;

const ACTIONS = ['list', 'add', 'get', 'delete', 'versions', 'publish'];

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values'];

export const templates: Command = {
  summary: 'list, add, get and delete templates',
  usage: `platen templates [list] [--name TEXT] [--tag TAG] [--limit N] [--json]
platen templates add FILE [--name NAME] [--header FILE] [--footer FILE] [--style FILE]… [--image FILE]…
                     [--option name=value]… [--description TEXT] [--format html]
platen templates get ID [--output FILE]
platen templates delete ID…
platen templates versions ID [--json]
platen templates publish ID VERSION

  add prints the id of the new template.
  publish selects the version that renderings use: a draft, or an older one.
  --name     by default the name of the file; for list: text that names must contain
  --tag      for add, any number of times; for list: templates that have it
  --format   html, docx, xlsx, pptx, odt, ods, odp; by default from the file's extension
  --style    a CSS file; any number of times
  --image    an image file, or name=FILE with the name of its variable; any number of times
  --option   an option of the template, such as paper_format=A5; any number of times
  --output   saves the template's file; - is standard output
  --json     the JSON of the service`,
  async run(args, context) {
    const { values, positionals } = parse(args, OPTIONS);
    const [action = 'list', ...operands] = positionals;
    if (action === 'list') await list(values, context);
    else if (action === 'add') await add(single(operands, 'FILE'), values, context);
    else if (action === 'get') await get(single(operands, 'ID'), values.output, context);
    else if (action === 'delete') await remove(operands, context);
    else if (action === 'versions') await versions(single(operands, 'ID'), values, context);
    else if (action === 'publish') await publish(operands, context);
    else throw unknownName('command templates', action, ACTIONS);
  },
};

async function list(
  { limit, json, name, tag: [tag, ...more] = [] }: Values,
  { client, print, signal }: Context,
): Promise<void> {
  if (more.length > 0) throw new UsageError('A list is of one --tag.');
  const given = Object.entries({ limit, name, tag }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  const all = await client.json<Template[]>('GET', `/template?${query}`, { signal });
  if (json === true) print(JSON.stringify(all, null, 2));
  else
    all.forEach(({ id, format, timestamp, name }) =>
      print([id, format.padEnd(4), timestamp, name].join('  ')),
    );
}

/** Formats of file extensions that differ from the format's name. */
const FORMAT_OF_ENDING: Readonly<Record<string, string>> = { htm: 'html', md: 'markdown' };

/**
 * Adds a template and its files. When the service refuses a style or an image, the template is deleted again.
 */
async function add(file: string, values: Values, { client, print, signal }: Context): Promise<void> {
  const { base, ending } = nameAndEnding(file);
  const templateData = {
    ...(JSON.parse(optionsJson(values.option) ?? '{}') as object),
    name: values.name ?? base,
    format: values.format ?? FORMAT_OF_ENDING[ending] ?? ending,
    ...(values.description === undefined ? {} : { description: values.description }),
    ...(values.tag === undefined ? {} : { tags: values.tag }),
  };
  const files = [await localFile('file_data', file)];
  if (values.header !== undefined) files.push(await localFile('header_data', values.header));
  if (values.footer !== undefined) files.push(await localFile('footer_data', values.footer));
  const parts = [...(values.style ?? []).map(stylePart), ...(values.image ?? []).map(imagePart)];
  // All files are checked before the first request.
  const sent = await Promise.all(
    parts.map(async (part) => ({ ...part, file: await localFile('file_data', part.path) })),
  );

  const form = await client.form({ template_data: JSON.stringify(templateData) }, byField(files));
  const { id } = await client.json<Template>('POST', '/template', { body: form.body, signal });
  try {
    for (const part of sent) {
      const { body } = await client.form({ template_data: JSON.stringify(part.data) }, byField([part.file]));
      await client.call('POST', `/template/${part.kind}/${id}`, { body, signal });
    }
  } catch (error) {
    await client.call('DELETE', `/template/${id}`);
    throw error;
  }
  print(id);
}

/** A stylesheet or an image to add to a template. */
interface TemplatePart {
  kind: 'css' | 'img';
  path: string;
  data: Record<string, string>;
}

function stylePart(file: string): TemplatePart {
  return { kind: 'css', path: file, data: { format: 'css', filename: path.basename(file) } };
}

function imagePart(text: string): TemplatePart {
  const { uri, path: file } = namedImage(text);
  const { ending } = nameAndEnding(file);
  const data = { format: ending, filename: path.basename(file), ...(uri === undefined ? {} : { uri }) };
  return { kind: 'img', path: file, data };
}

async function get(
  id: string,
  output: string | undefined,
  { client, print, say, signal }: Context,
): Promise<void> {
  if (output === undefined) {
    const template = await client.json('GET', `/template/${encodeURIComponent(id)}`, { signal });
    print(JSON.stringify(template, null, 2));
    return;
  }
  const answer = await client.call('GET', `/template/file/${encodeURIComponent(id)}`, { signal });
  await save(answer, output, say);
}

async function remove(ids: readonly string[], { client, signal }: Context): Promise<void> {
  if (ids.length === 0) throw new UsageError('ID is missing.');
  for (const id of ids) await client.call('DELETE', `/template/${encodeURIComponent(id)}`, { signal });
}

interface Version {
  version: number;
  timestamp: string;
  published: boolean;
  note: string | null;
  changes: string[];
}

async function versions(id: string, { json }: Values, { client, print, signal }: Context): Promise<void> {
  const all = await client.json<Version[]>('GET', `/template/${encodeURIComponent(id)}/versions`, { signal });
  if (json === true) print(JSON.stringify(all, null, 2));
  else
    for (const { version, timestamp, published, note, changes } of all)
      print(
        [String(version).padStart(4), published ? '*' : ' ', timestamp, note ?? changes.join(', ')].join(
          '  ',
        ),
      );
}

async function publish(
  [id, version, ...more]: readonly string[],
  { client, print, signal }: Context,
): Promise<void> {
  if (id === undefined || version === undefined || more.length > 0)
    throw new UsageError('publish takes an ID and a VERSION.');
  const body = new FormData();
  body.append('version', version);
  const path = `/template/${encodeURIComponent(id)}/publish`;
  const template = await client.json<{ version: number }>('POST', path, { body, signal });
  print(`version ${template.version} is published`);
}

function nameAndEnding(file: string): { base: string; ending: string } {
  const { name, ext } = path.parse(file);
  return { base: name, ending: ext.slice(1).toLowerCase() };
}
