import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pdfInfo, pdfText, zipEntries } from './client.ts';

/** `platen mcp` (I-57), as an agent speaks to it: by the client of the official SDK, over standard input and output. */

const { url, token } = inject('service');
const root = mkdtempSync(path.join(tmpdir(), 'platen-mcp-'));
const folder = path.join(root, 'work');
const agent = new Client({ name: 'test', version: '1' });

/** The configuration of docs/mcp.md, with the places of this machine. */
function configured(): { command: string; args: string[] } {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/mcp.md', 'utf8')) ?? [];
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: { platen: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.platen;
  const here = (word: string) =>
    word.replace('/home/ada/platen', path.resolve('.')).replace('/home/ada/documents', folder);
  return { command, args: args.map(here) };
}

beforeAll(async () => {
  mkdirSync(folder);
  const { command, args } = configured();
  const env = { PATH: process.env['PATH'] ?? '', PLATEN_URL: url, PLATEN_TOKEN: token };
  // Agents work in folders of their own.
  await agent.connect(new StdioClientTransport({ command, args, env, cwd: root, stderr: 'inherit' }));
});
afterAll(async () => {
  await agent.close();
  rmSync(root, { recursive: true });
});

async function use(
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ text: string; failed: boolean; result: CallToolResult }> {
  const result = (await agent.callTool({ name, arguments: args })) as CallToolResult;
  const [first] = result.content;
  return { text: first?.type === 'text' ? first.text : '', failed: result.isError === true, result };
}

const at = (name: string) => path.join(folder, name);

it('offers its tools and its guide', async () => {
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_templates',
    'get_template',
    'add_template',
    'check_template',
    'render',
    'render_batch',
    'print_url',
    'pdf_info',
    'pdf_text',
    'pdf_process',
    'pdf_form_fields',
    'pdf_fill_form',
  ]);
  const { contents } = await agent.readResource({ uri: 'platen://guide' });
  expect(contents[0]).toMatchObject({ mimeType: 'text/markdown' });
});

it('checks, stores, finds and renders the template of the guide', async () => {
  const guide = readFileSync('packages/mcp/skills/platen/SKILL.md', 'utf8');
  const [, html = ''] = /```html\n([^]*?)```/.exec(guide) ?? [];
  const [, text = ''] = /```json\n([^]*?)```/.exec(guide) ?? [];
  const data = JSON.parse(text) as object;
  expect((await use('check_template', { template_text: html, data })).text).toContain('16.50');
  const { text: id, failed } = await use('add_template', { name: 'Guide', template_text: html });
  expect([failed, id]).toEqual([false, expect.stringMatching(/^\w{20,}$/)]);
  expect((await use('list_templates', { limit: 5 })).text).toContain(id);
  const described = JSON.parse((await use('get_template', { id })).text) as {
    data: { properties: object };
    source: string;
  };
  expect(Object.keys(described.data.properties)).toContain('customer');
  expect(described.source).toBe(html);
  const { result } = await use('render', {
    template: id,
    data,
    options: { paper_format: 'A5' },
    output: 'invoice.pdf',
  });
  expect(result.content[1]).toMatchObject({
    type: 'resource_link',
    uri: `file://${at('invoice.pdf')}`,
    mimeType: 'application/pdf',
  });
  expect(pdfText(readFileSync(at('invoice.pdf')))).toMatch(
    /Invoice 7[^]*Ada, unknown[^]*Ink +12\.00[^]*16\.50/,
  );
});

it('returns the place of an error in a template, so that the agent can correct it', async () => {
  const { failed, text } = await use('check_template', { template_text: '<p>\n{% for x in y %}' });
  expect(failed).toBe(true);
  expect(text).toMatch(/^template_syntax \(422\)[^]*"line":2/);
});

it('renders a batch from a file of records', async () => {
  writeFileSync(at('people.csv'), 'name\nAda\nGrace\n');
  const { failed } = await use('render_batch', {
    template_text: '<p>{{ name }}',
    records_file: 'people.csv',
    format: 'html',
    output: 'all.zip',
  });
  expect(failed).toBe(false);
  expect(zipEntries(readFileSync(at('all.zip')))).toHaveLength(2);
});

it('reads PDFs and applies steps to them', async () => {
  const steps = [{ stamp: { text: 'PAID' } }, { metadata: { Title: 'Done' } }];
  await use('pdf_process', { files: ['invoice.pdf', 'invoice.pdf'], steps, output: 'paid.pdf' });
  expect(pdfInfo(readFileSync(at('paid.pdf')))).toMatchObject({ Title: 'Done', Pages: '2' });
  expect((await use('pdf_text', { file: 'paid.pdf', pages: '2' })).text).toContain('PAID');
  expect(JSON.parse((await use('pdf_info', { file: 'paid.pdf' })).text)).toMatchObject({
    metadata: { Title: 'Done' },
  });
});

it('reads and writes nothing outside of its folder, through paths or links', async () => {
  writeFileSync(path.join(root, 'secret.pdf'), 'x');
  symlinkSync(path.join(root, 'secret.pdf'), at('link.pdf'));
  symlinkSync(root, at('out'));
  for (const file of ['../secret.pdf', path.join(root, 'secret.pdf'), 'link.pdf', 'out/secret.pdf']) {
    const { failed, text } = await use('pdf_info', { file });
    expect([file, failed]).toEqual([file, true]);
    expect(text).toContain('is outside of');
  }
  for (const [output, why] of [
    ['../new.pdf', 'is outside of'],
    ['out/new.pdf', 'is a link'],
    ['CON.html', 'is a device'],
  ] as const) {
    expect((await use('render', { template_text: 'x', format: 'html', output })).text).toContain(why);
  }
});
