/**
 * Builds the convert image without Docker, by the steps of its Dockerfile in Debian roots made with debootstrap, and
 * sends its entry point, Lambda's runtime interface client, conversions through an emulated Runtime API. Takes root, a
 * network, a machine with Node's headers (`nodedir` of npm, or /usr/include/node) and some minutes.
 *
 *     npm run verify -- convert [folder that keeps the roots for the next time]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  ConversionAnswer,
  ConversionOrder,
  ConversionTask,
  SourceFormat,
  TargetFormat,
} from '../../functions/shared/convert/protocol.ts';
import { packBundle } from '../../packages/print/src/bundle.ts';
import { bundleFunctions } from '../../lib/artifacts/bundle.ts';
import { FUNCTIONS } from '../../lib/functions.ts';
import { jsonPayload } from '../../packages/aws-local/src/lambda/index.ts';
import { RuntimeApi } from '../../packages/aws-local/src/lambda/runtime-api.ts';
import { inRoot } from '../support/debian-root.ts';
import { buildImage, copyInto, type Image, IMAGE_PATH } from '../support/dockerfile.ts';
import { nodeImage } from '../support/node-image.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { docx, odp, ods, odt, xlsx } from './documents.ts';
import { pdfInfo, pdfText } from './support.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const [kept] = process.argv.slice(2);
const folder = path.resolve(kept ?? mkdtempSync(path.join(tmpdir(), 'platen-image-')));

/** The context that the stacks hand over: the bundle, its layer, the Dockerfile and what lies beside it. */
async function buildContext(): Promise<string> {
  const [{ dist }] = await Promise.all([
    buildFontsLayer(),
    bundleFunctions(repository, new Map([['convert', FUNCTIONS.convert]]), path.join(folder, 'built')),
  ]);
  const context = path.join(folder, 'built/convert');
  for (const part of [path.join(repository, FUNCTIONS.convert.container ?? ''), dist])
    copyInto(part, context);
  return context;
}

async function converted(image: Image, orders: readonly ConversionOrder[]): Promise<ConversionAnswer[]> {
  const answers: ConversionAnswer[] = [];
  const finished = Promise.withResolvers<void>();
  const waiting = [...orders];
  const api = await RuntimeApi.listen({
    ready: () => {
      const order = waiting.shift();
      if (!order) {
        finished.resolve();
        return;
      }
      api.deliver({
        requestId: `request-${waiting.length}`,
        deadline: Date.now() + 300_000,
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:convert',
        traceId: 'Root=1-0-0',
        payload: jsonPayload(order),
      });
    },
    lost: () => undefined,
    initError: ({ errorMessage }) => finished.reject(new Error(errorMessage)),
    result: (_, json) => answers.push(JSON.parse(json.toString()) as ConversionAnswer),
    stream: () => finished.reject(new Error('The function streams.')),
    error: (_, { errorMessage }) => finished.reject(new Error(errorMessage)),
  });
  const env = {
    PATH: IMAGE_PATH,
    ...image.env,
    AWS_LAMBDA_RUNTIME_API: api.address,
    AWS_LAMBDA_FUNCTION_NAME: 'convert',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/convert',
    AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(FUNCTIONS.convert.memory),
    // As Lambda leaves it for images.
    _HANDLER: '',
  };
  const script = `cd '${image.workdir}' && exec "$0" "$@"`;
  const child = spawn(...inRoot(image.root, '/bin/sh', '-c', script, ...image.command), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  child.once('error', (error) => finished.reject(error));
  child.once('exit', (code) => finished.reject(new Error(`The function ended with ${code}.`)));
  try {
    await finished.promise;
    return answers;
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    api.close();
  }
}

function order(from: SourceFormat, to: TargetFormat, document: Buffer): ConversionOrder & ConversionTask {
  const base64 = document.toString('base64');
  return {
    kind: 'convert',
    from,
    to,
    title: null,
    withFonts: false,
    formFields: false,
    office: {},
    timeout: 60_000,
    document: { base64 },
    resultUrl: '',
  };
}

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

function printOrder(html: string): ConversionOrder {
  const bundle = packBundle({ html, files: new Map() });
  return {
    kind: 'print',
    owner: 'anybody',
    address: 'platen://document/',
    language: null,
    options: {
      paper: 'A5',
      landscape: false,
      fitsContent: false,
      margins: { top: 2, right: 1, bottom: 2, left: 1 },
      author: null,
      scale: 1,
      printBackground: true,
      pageRange: null,
      header: '<p style="font-size:9px">above</p>',
      footer: '<p style="font-size:9px">page <b class="pageNumber"></b> of <b class="totalPages"></b></p>',
      byPage: null,
      furnitureFonts: '',
      roomFor: null,
      firstPageNumber: 1,
      outline: true,
      skipFurnitureOnFirstPage: false,
    },
    timeout: 60_000,
    document: { base64: bundle.toString('base64') },
    resultUrl: '',
  };
}

const EPS = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 50\n%%EndComments\n10 10 50 20 rectfill\n';

function drawOrder(): ConversionOrder {
  const base64 = Buffer.from(EPS).toString('base64');
  return { kind: 'draw', what: 'The EPS', timeout: 60_000, document: { base64 }, resultUrl: '' };
}

function bytesOf(answer: ConversionAnswer | undefined): Buffer | null {
  return answer?.ok === true && 'base64' in answer ? Buffer.from(answer.base64, 'base64') : null;
}

const TEXT = 'Größe Ωμέγα 日本 عربي';
const cell = `<table:table-cell office:value-type="string"><text:p>${TEXT}</text:p></table:table-cell>`;

function checkOthers([printed, drawn]: ConversionAnswer[]): void {
  const pdf = bytesOf(printed);
  check('html by WebKit', pdf !== null);
  if (pdf !== null) {
    check('  its text', pdfText(pdf).includes('Größe Ωμέγα'));
    check('  header and footer', /above[^]*page 1 of 1/.test(pdfText(pdf)));
    check('  its sheet', /Page size: +419\.5\d* x 595\.2\d* pts/.test(pdfInfo(pdf)));
    if (kept !== undefined) writeFileSync(path.join(folder, 'webkit.pdf'), pdf);
  } else console.log(printed);
  const picture = bytesOf(drawn);
  check('PostScript', picture !== null && /Page size: +100 x 50 pts/.test(pdfInfo(picture)));
}

try {
  const image = buildImage(await buildContext(), folder, nodeImage);
  const orders = [
    order('docx', 'pdf', await docx(TEXT)),
    order('odt', 'pdf', await odt(TEXT)),
    order('xlsx', 'pdf', await xlsx(`<c r="A1" t="inlineStr"><is><t>${TEXT}</t></is></c>`)),
    order('ods', 'pdf', await ods(cell)),
    order('odp', 'pdf', await odp(TEXT)),
    order('html', 'docx', Buffer.from(`<p>${TEXT}</p>`)),
    order('docx', 'pdf', Buffer.from('garbage')),
  ];
  const others = [printOrder(`<title>T</title><p>${TEXT}`), drawOrder()];
  const answers = await converted(image, [...others, ...orders]);
  checkOthers(answers.splice(0, others.length));
  for (const [index, { from, to }] of orders.slice(0, -1).entries()) {
    const answer = answers[index];
    const bytes = bytesOf(answer);
    check(`${from} to ${to}`, bytes !== null && bytes.length > 1000);
    if (bytes === null || to !== 'pdf') continue;
    check(`  its text`, pdfText(bytes).includes('Größe Ωμέγα 日本'));
    check(`  tagged`, /Tagged: +yes/.test(pdfInfo(bytes)));
    if (kept !== undefined) writeFileSync(path.join(folder, `${from}.pdf`), bytes);
  }
  const refused = answers.at(-1);
  check('garbage is refused', refused?.ok === false && refused.code === 'template_file_invalid');
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
