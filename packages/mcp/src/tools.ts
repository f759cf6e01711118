import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FieldsOf, Platen, SentTemplate, TemplateData } from '@platen/client';
import * as z from 'zod';
import { json, saved, text, withErrorResult } from './answers.ts';
import type { Workspace } from './files.ts';

/** The tools: for templates, for renderings and for PDFs. */

export interface Tools {
  platen: Platen;
  workspace: Workspace;
}

const file = z.string().min(1).describe('Path of a file, relative to the working folder.');
const output = z
  .string()
  .min(1)
  .optional()
  .describe('Where to save the result. Default: the name from the service.');
const options = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Render options, such as {"paper_format": "A5", "landscape": true, "conformance": ["pdf/a-3b"]}.',
  );
const template = z
  .string()
  .optional()
  .describe('Id of a stored template. Alternatives: template_file, template_text.');
const sent = {
  template,
  template_file: file.optional().describe('Path of a template: html, docx, xlsx, pptx, odt, ods or odp.'),
  template_text: z.string().optional().describe('The html of a template.'),
};
const format = z.string().default('pdf').describe('Format of the result: pdf, html, docx, odt, xlsx, …');

type Target = { [K in keyof typeof sent]?: string | undefined };

/** Registers all tools on a server. */
export function registerTools(server: McpServer, tools: Tools): void {
  registerTemplates(server, tools);
  registerRenderings(server, tools);
  registerPdf(server, tools);
  registerForms(server, tools);
}

function registerTemplates(server: McpServer, { platen, workspace }: Tools): void {
  server.registerTool(
    'list_templates',
    {
      description: 'List the stored templates, newest first: id, name, format, description.',
      inputSchema: { limit: z.number().int().min(1).max(500).default(50) },
      annotations: { readOnlyHint: true },
    },
    ({ limit }) =>
      withErrorResult(async () => {
        const found: unknown[] = [];
        for await (const { id, name, format: kind, description, timestamp } of platen.templates.list({
          limit,
        })) {
          found.push({ id, name, format: kind, description, timestamp });
          if (found.length === limit) break;
        }
        return json(found);
      }),
  );
  server.registerTool(
    'get_template',
    {
      description:
        'Get a stored template: its settings, the JSON Schema of the data that it uses, and the text of an html one.',
      inputSchema: { id: z.string() },
      annotations: { readOnlyHint: true },
    },
    ({ id }) =>
      withErrorResult(async () => {
        const found = await platen.templates.get(id);
        const fields = await platen.templates.fields(id);
        const source = found.format === 'html' ? await (await platen.templates.file(id)).text() : undefined;
        return json({ ...found, data: fields, source });
      }),
  );
  server.registerTool(
    'add_template',
    {
      description: 'Check and store a template. Returns the id; an error has the line.',
      inputSchema: {
        name: z.string(),
        format: z.enum(['html', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp']).default('html'),
        template_file: sent.template_file,
        template_text: sent.template_text,
        settings: options.describe(
          'Default options of renderings, and templating_engine: jinja2, flask, liquid, none.',
        ),
      },
    },
    ({ name, format: kind, settings, ...target }) =>
      withErrorResult(async () => {
        const data = { ...settings, name, format: kind } as TemplateData;
        const { id } = await platen.templates.add(data, { file: await content(workspace, target) });
        return text(id);
      }),
  );
  server.registerTool(
    'check_template',
    {
      description:
        'Check a template without storing it, by filling it with data: returns the error with its line and column, or the filled text.',
      inputSchema: { ...sent, data: z.record(z.string(), z.unknown()).default({}), settings: options },
      annotations: { readOnlyHint: true },
    },
    ({ data, settings, ...target }) =>
      withErrorResult(async () => {
        const source = await targetOf(workspace, target, settings);
        const isOffice = /\.(?!html?$)\w+$/i.test(target.template_file ?? '');
        if (isOffice) {
          await platen.render(source, data).bytes();
          return text('The template can be filled with these data and printed.');
        }
        return text(await platen.render(source, data, { format: 'html' }).text());
      }),
  );
}

function registerRenderings(server: McpServer, { platen, workspace }: Tools): void {
  server.registerTool(
    'render',
    {
      description: 'Fill a template with data and save the document.',
      inputSchema: { ...sent, data: z.record(z.string(), z.unknown()).default({}), format, options, output },
    },
    ({ data, format: wanted, options: given, output: place, ...target }) =>
      withErrorResult(async () => {
        const source = await targetOf(workspace, target);
        const work = platen.render(source, data, { format: wanted, options: given ?? {} });
        return await saved(await work, workspace, place);
      }),
  );
  server.registerTool(
    'render_batch',
    {
      description: 'Fill a template once for each record and save a ZIP of the documents. Runs as a job.',
      inputSchema: {
        ...sent,
        records: z
          .array(z.record(z.string(), z.unknown()))
          .optional()
          .describe('The records; alternative: records_file.'),
        records_file: file.optional().describe('Path of a JSON, JSON Lines, CSV, XLS or XLSX file.'),
        skip_errors: z
          .boolean()
          .default(false)
          .describe('Omit failing records instead of failing the whole batch.'),
        format,
        options,
        output,
      },
    },
    (
      { records, records_file, skip_errors, format: wanted, options: given, output: place, ...target },
      { signal },
    ) =>
      withErrorResult(async () => {
        const source = await targetOf(workspace, target);
        const data = records ?? (records_file === undefined ? undefined : await workspace.read(records_file));
        if (data === undefined) throw new Error('Give records or records_file.');
        const work = platen.batch(source, data, {
          format: wanted,
          options: given ?? {},
          onError: skip_errors ? 'skip' : 'fail',
        });
        return await saved(await work.asJob().wait({ signal }), workspace, place);
      }),
  );
  server.registerTool(
    'print_url',
    {
      description: 'Print a web page to PDF. Only addresses on the public internet are loaded.',
      inputSchema: { url: z.string(), options, output },
    },
    ({ url, options: given, output: place }) =>
      withErrorResult(async () => await saved(await platen.url(url, given ?? {}), workspace, place)),
  );
}

/** The password that opens a protected PDF. */
const password = z.string().optional().describe('Of a PDF that has one.');

function registerPdf(server: McpServer, { platen, workspace }: Tools): void {
  server.registerTool(
    'pdf_info',
    {
      description:
        'Get information about a PDF: pages with sizes, metadata, outline, fonts, images, form fields, attachments, signatures, conformance.',
      inputSchema: { file, password },
      annotations: { readOnlyHint: true },
    },
    ({ file: place, password: secret }) =>
      withErrorResult(async () =>
        json(await platen.pdf.info(await workspace.read(place), { input_password: secret })),
      ),
  );
  server.registerTool(
    'pdf_text',
    {
      description: 'Read the text of a PDF in its reading order.',
      inputSchema: { file, pages: z.string().optional().describe('Such as 1-3,5.'), password },
      annotations: { readOnlyHint: true },
    },
    ({ file: place, pages, password: secret }) =>
      withErrorResult(async () => {
        const fields = { pages, input_password: secret };
        return text(await platen.pdf.text(await workspace.read(place), fields).text());
      }),
  );
  server.registerTool(
    'pdf_process',
    {
      description:
        'Do something to PDFs, in order, and save the result. Several files are joined first. Steps are objects with one ' +
        'name each: {"pages": {"pages": "1-3,5-"}}, {"rotate": {"angle": 90}}, {"stamp": {"text": "DRAFT", "angle": 45, ' +
        '"opacity": 0.3}}, {"watermark": …}, {"page_numbers": {"format": "{page} / {pages}"}}, {"outline": {"items": [{"title": ' +
        '"A", "page": 1}]}}, {"metadata": {"Title": "…"}}, {"flatten": {}}, {"compress": {"quality": "high"}}, {"decrypt": ' +
        '{"password": "…"}}, {"encrypt": {"password": "…"}}, {"linearize": {}}. Without steps the files are only joined.',
      inputSchema: {
        files: z.array(file).min(1),
        steps: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))).default([]),
        parts: z
          .record(z.string(), file)
          .default({})
          .describe('Files that steps name: {"logo": "logo.png"} for {"stamp": {"image": "logo"}}.'),
        password,
        output,
      },
    },
    ({ files, steps, parts, password: secret, output: place }) =>
      withErrorResult(async () => {
        const inputs = await Promise.all(files.map((name) => workspace.read(name)));
        const named = await Promise.all(
          Object.entries(parts).map(async ([name, part]) => [name, await workspace.read(part)] as const),
        );
        const fields = { input_password: secret };
        if (steps.length === 0) return await saved(await platen.pdf.merge(inputs, fields), workspace, place);
        const list = steps as NonNullable<FieldsOf<'processPdf'>['steps']>;
        const work = platen.pdf.process(inputs, list, { parts: Object.fromEntries(named), fields });
        return await saved(await work, workspace, place);
      }),
  );
}

function registerForms(server: McpServer, { platen, workspace }: Tools): void {
  server.registerTool(
    'pdf_form_fields',
    {
      description: 'List the fields of a PDF form.',
      inputSchema: { file, password },
      annotations: { readOnlyHint: true },
    },
    ({ file: place, password: secret }) =>
      withErrorResult(async () =>
        json(await platen.pdf.form(await workspace.read(place), { input_password: secret })),
      ),
  );
  server.registerTool(
    'pdf_fill_form',
    {
      description: 'Fill a PDF form and save it.',
      inputSchema: {
        file,
        data: z.record(z.string(), z.unknown()),
        flatten: z.boolean().default(false),
        output,
      },
    },
    ({ file: place, data, flatten, output: target }) =>
      withErrorResult(async () => {
        const work = platen.pdf.fillForm(await workspace.read(place), { data, flatten });
        return await saved(await work, workspace, target);
      }),
  );
}

/** Returns the template of a rendering. @throws Error if the call contains none */
async function targetOf(
  workspace: Workspace,
  target: Target,
  data?: Readonly<Record<string, unknown>>,
): Promise<string | SentTemplate> {
  if (target.template !== undefined) return target.template;
  const settings = { ...data } as NonNullable<SentTemplate['data']>;
  return { file: await content(workspace, target), ...(data === undefined ? {} : { data: settings }) };
}

async function content(workspace: Workspace, { template_file, template_text }: Target) {
  if (template_text !== undefined) return { content: template_text, name: 'template.html' };
  if (template_file !== undefined) return await workspace.read(template_file);
  throw new Error('Give template, template_file or template_text.');
}
