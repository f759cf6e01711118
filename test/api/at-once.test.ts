import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { docx, p } from '../office/build.ts';
import { readZip } from '../../packages/core/src/zip.ts';
import { call, expectStatus, form, mint } from './client.ts';

/**
 * Requests of several tenants and kinds that one environment works on at the same time. Each has a mark of its own, and
 * everything in its answer is its own: text, warnings, stored data of scripts, titles and records.
 */

const TENANTS = ['once-a', 'once-b', 'once-c'];
const ROUNDS = 4;
const tokens = new Map<string, string>();

beforeAll(async () => {
  for (const tenant of TENANTS) tokens.set(tenant, await mint('--tenant', tenant));
});

/** Names all other marks in a text. */
const foreign = (text: string, mark: string): string[] =>
  Array.from(text.matchAll(/mark[a-z]\d+[a-z]+/g), ([found]) => found).filter((found) => found !== mark);

const textOf = (pdf: Uint8Array): string =>
  execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });

const infoOf = (pdf: Uint8Array): string => execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' });

/** A document whose script stores its mark, and prints what was stored before. */
const html = (mark: string): string =>
  `<title>{{ mark }}</title><p>{{ mark }} {{ gone_${mark} }}</p><p id=seen></p><script>
  const before = JSON.stringify([{ ...localStorage }, document.cookie]);
  localStorage.setItem('mark', '${mark}');
  document.cookie = 'mark=${mark}';
  document.getElementById('seen').textContent = 'seen ' + before;
  </script>`;

type Make = (mark: string, headers: { authorization: string }) => Promise<void>;

const KINDS: Readonly<Record<string, Make>> = {
  html: async (mark, headers) => {
    const body = form({ file_data: [html(mark), 'a.html'], render_data: JSON.stringify({ mark }) });
    const answer = expectStatus(await call('POST', '/v1/render/pdf', { body, headers }), 200);
    const text = textOf(answer.bytes);
    expect(text).toContain(mark);
    expect(text).toContain('seen [{},""]');
    expect(foreign(text + infoOf(answer.bytes), mark)).toEqual([]);
    const warning = answer.headers.get('warning') ?? '';
    expect(warning).toContain(`gone_${mark}`);
    expect(foreign(warning, mark)).toEqual([]);
  },
  office: async (mark, headers) => {
    const file = await docx(p('{{ mark }}') + p(`{{ gone_${mark} }}`));
    const body = form({ file_data: [file, 'a.docx'], render_data: JSON.stringify({ mark }) });
    const answer = expectStatus(await call('POST', '/v1/render/pdf', { body, headers }), 200);
    expect(textOf(answer.bytes)).toContain(mark);
    expect(foreign(textOf(answer.bytes), mark)).toEqual([]);
    expect(foreign(answer.headers.get('warning') ?? '', mark)).toEqual([]);
  },
  batch: async (mark, headers) => {
    const records = ['x', 'y', 'z'].map((part) => ({ mark, part }));
    const file: [string, string] = ['<p>{{ mark }} part {{ part }}</p>', 'a.html'];
    const body = form({ file_data: file, render_data: JSON.stringify(records) });
    const answer = expectStatus(await call('POST', '/v1/render/pdf/batch', { body, headers }), 200);
    const { wanted } = await readZip(answer.bytes, () => true);
    const texts = [...wanted.values()].map(textOf);
    expect(texts).toHaveLength(3);
    for (const part of ['x', 'y', 'z'])
      expect(texts.filter((text) => text.includes(`part ${part}`))).toHaveLength(1);
    expect(foreign(texts.join(''), mark)).toEqual([]);
  },
  steps: async (mark, headers) => {
    const body = form({ file_data: ['<p>body</p>', 'a.html'], render_data: '{}' });
    const printed = expectStatus(await call('POST', '/v1/render/pdf', { body, headers }), 200).bytes;
    const steps = JSON.stringify([
      { stamp: { text: mark } },
      { metadata: { Title: mark, Subject: `about ${mark}` } },
    ]);
    const answer = await call('POST', '/v1/pdf/process', {
      body: form({ file: [printed, 'a.pdf'], steps }),
      headers,
    });
    const { bytes } = expectStatus(answer, 200);
    expect(textOf(bytes)).toContain(mark);
    expect(infoOf(bytes)).toContain(`about ${mark}`);
    expect(foreign(textOf(bytes) + infoOf(bytes), mark)).toEqual([]);
  },
  refusal: async (mark, headers) => {
    const body = form({ file_data: [`<p>{{ ${mark} | no_such_filter }}</p>`, 'a.html'], render_data: '{}' });
    const answer = expectStatus(await call('POST', '/v1/render/pdf', { body, headers }), 422);
    expect(foreign(answer.bytes.toString(), mark)).toEqual([]);
  },
};

it('are answered each with its own document', async () => {
  const requests: Promise<void>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, tenant] of TENANTS.entries())
      for (const [kind, make] of Object.entries(KINDS)) {
        const mark = `mark${'abc'[index]}${round}${kind}`;
        requests.push(make(mark, { authorization: tokens.get(tenant) ?? '' }));
      }
  // Each of them checks its document.
  await expect(Promise.all(requests)).resolves.toHaveLength(requests.length);
});
