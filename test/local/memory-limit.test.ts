import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { ControlGroup } from '../support/lambda/control-group.ts';
import { serveInProcess, type ServedService } from '../support/served.ts';

/** The service in a real control group of 700 MB, with more work than fits into it. Creating groups takes root. */

const MB = 1024 * 1024;
const CLIENTS = 8;
const LOAD_MS = 20_000;
/** Rows of an invoice for whose printing the browser takes about 100 MB. */
const ROWS = 1_500;

const group = new ControlGroup(700 * MB, process.getuid?.() === 0);
const isLimited = !group.missing.includes('memory');
let service: ServedService | undefined;

beforeAll(async () => {
  if (!isLimited) return;
  await ensureAssembly({ root: ROOT });
  service = await serveInProcess([], {}, group.doors);
}, 300_000);

afterAll(async () => {
  await service?.stop();
  await group.remove();
});

it.skipIf(!isLimited)(
  'answers 503 to what does not fit, and the kernel kills nothing',
  async () => {
    if (service === undefined) throw new Error('The service does not run.');
    const { url, token, output } = service;
    const post = (path: string, body: FormData | URLSearchParams) =>
      fetch(`${url}${path}`, { method: 'POST', headers: { authorization: token }, body });
    const template = new FormData();
    template.append('file_data', new Blob([INVOICE_TEMPLATE]), 'invoice.html');
    template.append('template_data', '{"name":"Invoice","format":"html"}');
    const { id } = (await (await post('/v1/template', template)).json()) as { id: string };
    const invoice = (rows: number): URLSearchParams => {
      const items = Array.from({ length: rows }, (_, row) => ({
        name: `Article ${row}`,
        quantity: 1,
        price: 2,
      }));
      return new URLSearchParams({ render_data: JSON.stringify({ ...invoiceData(), items }) });
    };
    const answers: string[] = [];
    const render = async (rows: number): Promise<void> => {
      const response = await post(`/v1/render/pdf/${id}`, invoice(rows));
      await response.arrayBuffer();
      if (response.status !== 200) await new Promise((resolve) => setTimeout(resolve, 500));
      answers.push(`${response.status}${response.headers.has('retry-after') ? ' with Retry-After' : ''}`);
    };
    const until = Date.now() + LOAD_MS;
    const client = async (): Promise<void> => {
      while (Date.now() < until) await render(ROWS);
    };
    // Small requests arrive at any time, also while there is no memory for them.
    const small: Promise<void>[] = [];
    const timer = setInterval(() => small.push(render(1)), 250);
    await Promise.all(Array.from({ length: CLIENTS }, client));
    clearInterval(timer);
    await Promise.all(small);
    const text = output();
    const others = answers.filter((answer) => answer !== '200' && answer !== '503 with Retry-After');
    expect(others, text).toEqual([]);
    expect(answers).toContain('200');
    expect(group.isOutOfMemory).toBe(false);
    expect(text).toMatch(/\d+ of 700 MB of memory are in use: further requests wait or are refused/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  },
  LOAD_MS + 220_000,
);
