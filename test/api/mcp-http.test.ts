import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type HttpServing, serveHttp } from '@platen/mcp';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { putSamples } from '../docs/samples.ts';
import { pdfInfo, pdfText, zipEntries } from './client.ts';

/** `platen mcp --http` (I-57): the protocol over streamable HTTP, by the client of the official SDK. */

const { url, token } = inject('service');
let folder: string;
let serving: HttpServing;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-mcp-'));
  await putSamples(folder);
  const fault = (error: unknown): void => console.error(error);
  serving = await serveHttp({ url, token, folder, port: 0, fault });
});
afterAll(async () => {
  await serving.stop();
  rmSync(folder, { recursive: true });
});

async function connected(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(serving.url), { requestInit: { headers } }));
  return client;
}

describe('streamable HTTP', () => {
  it('refuses a request without the right token with 401', async () => {
    for (const authorization of [undefined, token, 'Bearer wrong', `Basic ${token}`]) {
      const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
      const answer = await fetch(serving.url, { method: 'POST', headers, body: '{}' });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
    }
  });

  it('has one address, and no sessions', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(serving.url.replace('/mcp', '/'), { headers })).status).toBe(404);
    const got = await fetch(serving.url, { headers });
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('serves several agents at once, with the same tools as standard input', async () => {
    const agents = await Promise.all([connected(), connected(), connected()]);
    const lists = await Promise.all(agents.map((agent) => agent.listTools()));
    expect(lists.map(({ tools }) => tools.length)).toEqual([12, 12, 12]);
    await Promise.all(agents.map((agent) => agent.close()));
  });

  it('returns documents as resources, and no files from outside of its folder', async () => {
    const agent = await connected();
    const rendered = (await agent.callTool({
      name: 'render',
      arguments: { template_text: '<p>Hello {{ name }}', data: { name: 'world' }, output: 'héllo.pdf' },
    })) as CallToolResult;
    const [, link] = rendered.content;
    expect(link).toMatchObject({ type: 'resource_link', uri: 'platen://files/h%C3%A9llo.pdf' });
    const { contents } = await agent.readResource({ uri: (link as { uri: string }).uri });
    const [content] = contents as { blob: string }[];
    expect(pdfText(Buffer.from(content?.blob ?? '', 'base64'))).toContain('Hello world');
    for (const uri of [
      'platen://files/../secret',
      'platen://files/%2Fetc%2Fpasswd',
      'platen://files/%2e%2e%2fx',
    ])
      await expect(agent.readResource({ uri })).rejects.toThrow(/outside|not there|no such file|not found/i);
    await agent.close();
  });
});

interface Task {
  /** What somebody asks for. */
  ask: string;
  calls: { name: string; arguments: (answers: readonly string[]) => Record<string, unknown> }[];
}

const call = (name: string, args: Record<string, unknown> = {}): Task['calls'][number] => ({
  name,
  arguments: () => args,
});

const LETTER = '<h1>Dear {{ name }}</h1>\n<p>You owe {{ "%.2f" | format(sum) }} EUR.</p>';

/** Ten pieces of work, in the order in which docs/mcp-tasks.md shows them. */
const TASKS: readonly Task[] = [
  {
    ask: 'Is this template right? It does not print.',
    calls: [
      call('check_template', { template_text: '<p>\n{% for item in items %}{{ item.name }}' }),
      call('check_template', {
        template_text: '<p>\n{% for item in items %}{{ item.name }}{% endfor %}',
        data: { items: [{ name: 'Ink' }] },
      }),
    ],
  },
  {
    ask: 'Keep my letter as a template.',
    calls: [call('add_template', { name: 'Reminder', template_text: LETTER })],
  },
  {
    ask: 'Which data does it take?',
    calls: [{ name: 'get_template', arguments: ([, , id]) => ({ id }) }],
  },
  {
    ask: 'Write to Ada, who owes 4.50, on A5.',
    calls: [
      {
        name: 'render',
        arguments: ([, , id]) => ({
          template: id,
          data: { name: 'Ada', sum: 4.5 },
          options: { paper_format: 'A5', display_header_footer: false },
          output: 'ada.pdf',
        }),
      },
    ],
  },
  {
    ask: 'And to all of these.',
    calls: [
      {
        name: 'render_batch',
        arguments: ([, , id]) => ({
          template: id,
          records: [
            { name: 'Ada', sum: 4.5 },
            { name: 'Grace', sum: 12 },
          ],
          output: 'letters.zip',
        }),
      },
    ],
  },
  {
    ask: 'Put the letter before the report, page numbers below, and DRAFT over all of it.',
    calls: [
      call('pdf_process', {
        files: ['ada.pdf', 'annex.pdf'],
        steps: [{ page_numbers: {} }, { stamp: { text: 'DRAFT', opacity: 0.3 } }],
        output: 'both.pdf',
      }),
    ],
  },
  { ask: 'What does it say now?', calls: [call('pdf_text', { file: 'both.pdf' })] },
  {
    ask: 'Fill in this form for me.',
    calls: [
      call('pdf_form_fields', { file: 'form.pdf' }),
      call('pdf_fill_form', {
        file: 'form.pdf',
        data: { name: 'Ada', address: { city: 'Paris' }, agree: true },
        flatten: true,
        output: 'filled.pdf',
      }),
    ],
  },
  {
    ask: 'Make an archive copy: PDF/A.',
    calls: [
      call('pdf_process', {
        files: ['ada.pdf'],
        steps: [{ conform: { conformance: ['pdf/a-2b'] } }],
        output: 'archive.pdf',
      }),
    ],
  },
  {
    ask: 'Make a Word document of it.',
    calls: [
      {
        name: 'render',
        arguments: ([, , id]) => ({
          template: id,
          data: { name: 'Ada', sum: 4.5 },
          format: 'docx',
          output: 'ada.docx',
        }),
      },
    ],
  },
];

/** Most lines that are shown of an answer: no more of a template's settings than what it has always had. */
const LINES = 20;

/** Without what differs from run to run. */
function timeless(text: string): string {
  return text
    .replaceAll(folder, '/home/ada/documents')
    .replaceAll('\f', '')
    .replaceAll(/\b01[0-9a-z]{24}\b/g, '01m…')
    .replaceAll(/\b\d+ bytes/g, '… bytes')
    .replaceAll(/"timestamp": "[^"]*"/g, '"timestamp": "…"');
}

/** The beginning of an answer. */
function begun(text: string): string {
  const lines = timeless(text).trimEnd().split('\n');
  return lines.length > LINES ? [...lines.slice(0, LINES), '…'].join('\n') : lines.join('\n');
}

describe('ten tasks of an agent', () => {
  it('have the results in docs/mcp-tasks.md', async () => {
    const agent = await connected();
    const answers: string[] = [];
    const parts: string[] = [];
    for (const [index, { ask, calls }] of TASKS.entries()) {
      parts.push(`## ${index + 1}. ${ask}`);
      for (const { name, arguments: argumentsOf } of calls) {
        const args = argumentsOf(answers);
        const result = (await agent.callTool({ name, arguments: args })) as CallToolResult;
        const [first] = result.content;
        const text = first?.type === 'text' ? first.text : '';
        answers.push(text);
        parts.push(`\`\`\`json\n${timeless(JSON.stringify({ name, arguments: args }, null, 2))}\n\`\`\``);
        parts.push(`\`\`\`text\n${begun(text)}\n\`\`\``);
      }
    }
    await agent.close();
    const head =
      '# Ten tasks of an agent\n\nThis page shows which [tools](mcp.md) an agent calls, and the answers. A test runs every call and compares its answer; ids, sizes and dates are left out, and long answers are cut.';
    const file = 'docs/mcp-tasks.md';
    const config = await resolveConfig(file);
    const page = await format([head, ...parts].join('\n\n'), { ...config, filepath: file });
    await expect(page).toMatchFileSnapshot(path.resolve(file));
  });

  it('have written the requested files', () => {
    const at = (name: string): Buffer => readFileSync(path.join(folder, name));
    expect(pdfText(at('ada.pdf'))).toMatch(/Dear Ada[^]*You owe 4\.50 EUR/);
    expect(pdfInfo(at('ada.pdf'))['Page size']).toMatch(/^419\.\d+ x 595/);
    expect(zipEntries(at('letters.zip'))).toEqual(['Reminder-1.pdf', 'Reminder-2.pdf']);
    expect(pdfText(at('both.pdf'))).toMatch(/Dear Ada[^]*DRAFT[^]*1\/3[^]*annex[^]*3\/3/);
    expect(pdfText(at('filled.pdf'))).toMatch(/Ada[^]*Paris/);
    expect(at('archive.pdf').toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
    expect(zipEntries(at('ada.docx'))).toContain('word/document.xml');
  });
});
