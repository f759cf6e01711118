import { parse as pathOf } from 'node:path';
import { type Command, type Context, optionsJson, parse, single, UsageError } from '../command.ts';
import { byField, dataFile, isFile, type LocalFile, localFile, namedImage, save } from '../files.ts';
import { runAsJob } from '../jobs.ts';

const OPTIONS = {
  data: { type: 'string', short: 'd' },
  format: { type: 'string', short: 'f', default: 'pdf' },
  header: { type: 'string' },
  footer: { type: 'string' },
  style: { type: 'string', multiple: true },
  image: { type: 'string', multiple: true },
  option: { type: 'string', multiple: true },
  output: { type: 'string', short: 'o' },
} as const;

const USAGE = `  --format   format of the output: pdf, html, docx, odt, xlsx, …
  --header, --footer, --style, --image   files, if TEMPLATE is a file: html of the header and footer, style sheets,
             and images as name=FILE with the name of the variable; --style and --image any number of times
  --option   a render option, such as paper_format=A5 or scale=0.8; any number of times
  --output   where to save it; - is standard output; by default the name from the service`;

export const render: Command = {
  summary: 'fill a template with data and print it',
  usage: `platen render TEMPLATE [--data FILE] [--output FILE] [--format pdf] [--option name=value]…

TEMPLATE is the id of a stored template, or a file (html, docx, xlsx, pptx, odt, ods, odp).

  --data     the values: a JSON file, or JSON such as '{"name": "Ada"}'; - is standard input
${USAGE}`,
  async run(args, context) {
    const { values, positionals } = parse(args, OPTIONS);
    const { client, say, signal } = context;
    const target = await targetOf(single(positionals, 'TEMPLATE'), values);
    const data = values.data === undefined ? [] : [await dataFile(values.data)];
    const fields = { render_options: optionsJson(values.option), ...target.fields };
    const { body } = await client.form(fields, byField([...target.files, ...data]));
    const path = `/render/${encodeURIComponent(values.format)}${target.suffix}`;
    await save(await client.call('POST', path, { body, signal }), values.output, say);
  },
};

export const batch: Command = {
  summary: 'print one document for each record, into a ZIP',
  usage: `platen batch TEMPLATE --data FILE [--output FILE] [--format pdf] [--option name=value]…

TEMPLATE is the id of a stored template, or a file.

  --data     a file with JSON (an array), JSON Lines, CSV, XLS or XLSX, or a JSON array itself; - is standard input
  --on-error skip: leave failing records out and list them in errors.json; fail (the default): no ZIP then
  --no-wait  print the id of the job instead of waiting for it
${USAGE}`,
  async run(args, context: Context) {
    const { values, positionals } = parse(args, {
      ...OPTIONS,
      'on-error': { type: 'string' },
      'no-wait': { type: 'boolean' },
    });
    const { client } = context;
    const target = await targetOf(single(positionals, 'TEMPLATE'), values);
    if (values.data === undefined) throw new UsageError('--data is missing.');
    const data = await dataFile(values.data);
    const fields = {
      render_options: optionsJson(values.option),
      on_error: values['on-error'],
      ...target.fields,
    };
    const form = await client.form(fields, byField([...target.files, data]));
    const path = `/render/${encodeURIComponent(values.format)}/batch${target.suffix}`;
    await runAsJob({ path, form, output: values.output, wait: values['no-wait'] !== true }, context);
  },
};

/** The source of a rendering: a stored template in the path, or files in the form. */
interface Target {
  suffix: string;
  fields: Record<string, string>;
  files: LocalFile[];
}

async function targetOf(
  template: string,
  {
    header,
    footer,
    style = [],
    image = [],
  }: Partial<Record<'header' | 'footer', string> & Record<'style' | 'image', string[]>>,
): Promise<Target> {
  if (!(await isFile(template))) {
    // An id contains neither a dot nor a slash.
    if (/[./\\]/.test(template)) throw new UsageError(`There is no file ${template}.`);
    if (header !== undefined || footer !== undefined || style.length + image.length > 0) {
      throw new UsageError(
        'A stored template has its own files: --header, --footer, --style and --image are for files.',
      );
    }
    return { suffix: `/${encodeURIComponent(template)}`, fields: {}, files: [] };
  }
  const file = await localFile('file_data', template);
  const files = [file];
  if (header !== undefined) files.push(await localFile('header_data', header));
  if (footer !== undefined) files.push(await localFile('footer_data', footer));
  for (const [index, sheet] of style.entries()) files.push(await localFile(`css_${index + 1}`, sheet));
  for (const text of image) {
    const { uri, path } = namedImage(text);
    files.push(await localFile(`img_${uri ?? pathOf(path).name}`, path));
  }
  const name = file.name.replace(/(.)\.[^.]*$/, '$1');
  return { suffix: '', fields: { template_data: JSON.stringify({ name }) }, files };
}
