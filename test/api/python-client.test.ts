import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pdfText } from './client.ts';

const { url, token } = inject('service');
const directory = mkdtempSync(join(tmpdir(), 'platen-python-'));
const seen = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  const program = 'test/api/clients/python_client.py';
  const { stdout } = await promisify(execFile)('/usr/bin/python3', [program, `${url}/v1`, token, directory]);
  for (const line of stdout.trim().split('\n')) {
    const { step, ...rest } = JSON.parse(line) as { step: string };
    seen.set(step, rest);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

const step = (name: string) => seen.get(name) ?? {};
const document = (name: string) => readFileSync(join(directory, name));

it('has Python’s requests to call with', () => {
  execFileSync('/usr/bin/python3', ['-c', 'import requests']);
});

it('a Python client as in the field gets through every step', () => {
  expect([...seen.keys()].at(-1)).toBe('deleted');
  expect(step('token')).toMatchObject({ tenant: expect.any(String) as string, expires_at: null });
});

it('a template added by it has every field, its own ones ignored (I-9)', () => {
  const { id } = step('template');
  expect(step('template')).toEqual({
    id,
    name: 'Letter',
    format: 'html',
    description: null,
    templating_engine: 'jinja2',
    paper_format: 'A4',
    landscape: false,
    margin_top: 2,
    margin_bottom: 2,
    margin_left: 1.5,
    margin_right: 1,
    css_page: null,
    paper_width: null,
    paper_height: null,
    scale: 1,
    print_background: true,
    page_range: null,
    filename: null,
    undefined: 'warn',
    autoescape: null,
    page_number_footer_enabled: true,
    date_header_enabled: true,
    date_locale: 'en_US',
    first_page_number: 1,
    locale: null,
    title_header_enabled: true,
    display_header_footer: true,
    rendering_engine: 'chrome',
    compress: false,
    disable_header_footer_first_page: false,
    template_file: { id: expect.any(String) as string },
    header_file: { id: expect.any(String) as string },
    footer_file: null,
    style_files: [],
    image_files: [],
    tags: [],
    samples: [],
    partials: [],
    fonts: [],
    version: 1,
    published_version: 1,
    latest_version: 1,
    note: null,
    data_schema: null,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  });
  expect(step('list')['ids']).toContain(id);
  expect([step('get')['same'], step('file')['same'], step('image_file')['same']]).toEqual([true, true, true]);
});

it('style and image files answer with at least the fields of the specification', () => {
  const { css, image, css_file: file } = step('attached');
  expect(css).toEqual(expect.arrayContaining(['format', 'id', 'template_id', 'timestamp']));
  expect(image).toEqual(expect.arrayContaining(['format', 'id', 'template_id', 'timestamp']));
  expect(file).toBe('h1 { color: #c00 }');
});

it('urlencoded renderings come back right, large integers included', () => {
  const text = pdfText(document('single.pdf'));
  expect(text).toContain('Hello Wörld');
  expect(text).toContain('12345678901234567890');
  expect(text).toContain('Head of Wörld');
  expect(step('single')).toMatchObject({
    type: 'application/pdf',
    disposition: 'attachment; filename=Letter.pdf',
  });
  expect(step('batch')).toMatchObject({
    type: 'application/zip',
    names: ['Letter-1.pdf', 'Letter-2.pdf', 'Letter-3.pdf'],
  });
});

it('a template sent along with the client’s default data renders, single and in batches', () => {
  expect(pdfText(document('now.pdf'))).toContain('Hello Now');
  expect(step('now')['disposition']).toBe('attachment; filename=fastpdf-document.pdf');
  expect(step('now_batch')['names']).toHaveLength(3);
  expect(step('csv_batch')['names']).toEqual(['fastpdf-document-1.pdf', 'fastpdf-document-2.pdf']);
});

it('a GET with a body is answered, and errors are problem documents people can read', () => {
  expect(step('get_with_body')['ids']).toBeGreaterThan(0);
  expect(step('problem')).toMatchObject({
    status: 422,
    code: 'render_data_invalid',
    detail: expect.stringContaining('render_data is a list, but one document takes a JSON object') as string,
  });
});
