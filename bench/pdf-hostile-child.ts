import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { bodyText } from '../test/support/gateway-event.ts';
import { OPERATIONS, pdfClient } from './pdf-operations.ts';

/** Runs one document through one operation, then a harmless one; for pdf-hostile.ts. */

const [, , file = '', name = '', timeout = '', harmless = ''] = process.argv;
const send = pdfClient(Number(timeout));
const operation = OPERATIONS[name];
if (operation === undefined) throw new Error(`no operation is named ${name}`);

async function answerTo(content: Buffer): Promise<string> {
  if (operation === undefined) return '';
  const reply = await send(operation, content);
  let answer = String(reply.status);
  if (reply.body instanceof Readable) await finished(reply.body.resume());
  else if (reply.status !== 200)
    answer += ` ${String((JSON.parse(bodyText(reply)) as { code: unknown }).code)}`;
  await reply.close?.();
  return answer;
}

const content = readFileSync(file);
const started = performance.now();
const answer = await answerTo(content);
const milliseconds = performance.now() - started;
// In kilobytes (getrusage), for all threads and including memory that engines allocate outside the heap.
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ answer, milliseconds, peak, next: await answerTo(readFileSync(harmless)) }));
