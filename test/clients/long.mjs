/** Long work by the TypeScript client as others have it, from its npm package: `node long.mjs TASK …`. Run by long.ts. */
import { createServer } from 'node:http';
import { Platen, PlatenError } from '@platen/client';

const { PLATEN_URL: url = '', PLATEN_TOKEN: token = '', PLATEN_READER: reader = '' } = process.env;
const platen = new Platen({ url, token });
const template = { file: '<p>{{ name }}, {{ 10 / number }}</p>' };

/** Asks for a job of 1,000 records, tells its id, and watches it until it is killed. */
async function start() {
  const records = Array.from({ length: 1000 }, (_, index) => ({
    name: `Person ${index + 1}`,
    number: index + 1,
  }));
  const job = await platen.batch(template, records).asJob();
  console.log(job.id);
  await job.wait({ onProgress: ({ done }) => console.log(`done ${done}`) });
}

async function resume(id, file) {
  await (await platen.jobs.open(id).wait()).toFile(file);
}

/** @returns what is known of a large PDF, and what memory that took, MB */
async function upload(file) {
  const { pages } = await platen.pdf.info({ path: file });
  console.log(
    JSON.stringify({ pages: pages.length, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }),
  );
}

/** A server that answers everything alike. */
async function answering(status, headers, body, work) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(new Platen({ url: `http://127.0.0.1:${server.address().port}`, token, retries: 0 }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** A PDF to refuse something of. */
let page;

/** One of each: of the token, of the request, of the document, of a job, of the way to the service. */
const REFUSED = {
  unauthorized: () => new Platen({ url, token: 'none' }).token(),
  insufficient_scope: () => new Platen({ url, token: reader }).render(template).bytes(),
  not_found: () => platen.templates.get('none'),
  route_not_found: () => platen.request('GET', '/nothing'),
  method_not_allowed: () => platen.request('PATCH', '/template'),
  malformed_json: () =>
    platen.request('POST', '/render/barcode', { body: '{', headers: { 'content-type': 'application/json' } }),
  unsupported_media_type: () =>
    platen.request('POST', '/render/pdf', { body: 'x', headers: { 'content-type': 'text/x' } }),
  missing_field: () => platen.call('encryptPdf', { files: { file: page } }),
  invalid_field: () => platen.pdf.metadata(page, { metadata: { Colour: 'x' } }),
  template_syntax: () => platen.render({ file: '{% for %}' }).bytes(),
  template_render: () => platen.render(template, { number: 0 }).bytes(),
  pdf_invalid: () => platen.pdf.compress({ content: 'no PDF', name: 'a.pdf' }).bytes(),
  batch_failed: () =>
    platen
      .batch(template, [{ number: 0 }])
      .asJob()
      .wait(),
  idempotency_key_reused: async () => {
    const idempotencyKey = `key-${Date.now()}`;
    await platen.render(template, { number: 1 }, { idempotencyKey }).bytes();
    await platen.render(template, { number: 2 }, { idempotencyKey }).bytes();
  },
  upload_not_found: () => platen.pdf.compress({ upload: 'none' }).bytes(),
  too_many_requests: () =>
    answering(
      429,
      { 'content-type': 'application/problem+json', 'retry-after': '1' },
      '{"code":"too_many_requests","status":429}',
      (other) => other.token(),
    ),
  service_busy: () =>
    answering(
      503,
      { 'content-type': 'application/problem+json' },
      '{"code":"service_busy","status":503}',
      (other) => other.token(),
    ),
  unknown: () => answering(502, { 'content-type': 'text/html' }, '<p>Bad gateway', (other) => other.token()),
  unreachable: () => new Platen({ url: 'http://127.0.0.1:9', token, retries: 0 }).token(),
};

/** Prints for each error what came instead of it; nothing when all are as they are called. */
async function errors() {
  const content = await platen.barcode({ data: '5901234123457', barcode_format: 'ean13' }).bytes();
  page = { content, name: 'a.pdf' };
  for (const [code, work] of Object.entries(REFUSED)) {
    try {
      await work();
      console.log(`${code}: nothing was thrown`);
    } catch (error) {
      if (!(error instanceof PlatenError) || error.code !== code)
        console.log(`${code}: ${String(error.code ?? error)}`);
    }
  }
}

const [task, ...operands] = process.argv.slice(2);
await { start, resume, upload, errors }[task](...operands);
