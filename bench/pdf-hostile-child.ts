import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { bodyText } from '../test/support/gateway-event.ts';
import { OPERATIONS, pdfClient } from './pdf-operations.ts';

/** One document through one operation, then a harmless one; for pdf-hostile.ts. */

const [, , file = '', name = '', timeout = ''] = process.argv;
const send = pdfClient(Number(timeout));
const operation = OPERATIONS[name];
if (operation === undefined) throw new Error(`no operation is named ${name}`);

async function answerTo(content: Buffer): Promise<string> {
  if (operation === undefined) return '';
  const reply = await send(operation, content);
  let answer = String(reply.status);
  if (reply.body instanceof Readable) await finished(reply.body.resume());
  else answer += ` ${String((JSON.parse(bodyText(reply)) as { code: unknown }).code)}`;
  await reply.close?.();
  return answer;
}

const harmless = Buffer.from(
  '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n' +
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n' +
    '0000000058 00000 n \n0000000115 00000 n \ntrailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n186\n%%EOF\n',
);
const content = readFileSync(file);
const started = performance.now();
const answer = await answerTo(content);
const milliseconds = performance.now() - started;
// In kilobytes (getrusage); it holds for all threads and for what engines allocate outside of the heap.
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ answer, milliseconds, peak, next: await answerTo(harmless) }));
