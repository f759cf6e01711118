import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bodyText } from '../test/support/gateway-event.ts';
import { type Operation, OPERATIONS, pdfClient } from './pdf-operations.ts';

/** Runs documents through operations, and a harmless one after each; for pdf-hostile.ts, which sends the orders. */

export interface Order {
  file: string;
  operation: string;
}

export interface Outcome {
  /** The status, and the code of an error. */
  answer: string;
  milliseconds: number;
  /** Megabytes of memory during the operation, with all threads and engines. */
  peak: number;
  /** Megabytes that the process holds after the next request. */
  held: number;
  /** The result of a harmless document after it: `right`, or what differs from that before. */
  next: string;
}

interface Answer {
  answer: string;
  body: Buffer;
}

const [, , timeout = '', harmlessFile = '', page = ''] = process.argv;
const send = pdfClient(Number(timeout), { PLATEN_PDF_PAGE_TIMEOUT_MS: page });
const harmless = readFileSync(harmlessFile);

async function answerTo(operation: Operation, content: Buffer): Promise<Answer> {
  const reply = await send(operation, content);
  const isStream = reply.body instanceof Readable;
  const body = isStream ? await buffer(reply.body as Readable) : Buffer.from(bodyText(reply));
  const code = reply.status === 200 ? '' : ` ${(JSON.parse(body.toString()) as { code: string }).code}`;
  await reply.close?.();
  return { answer: `${reply.status}${code}`, body };
}

/** What a harmless document becomes; the digest is empty if two results differ, for instance by their time. */
interface Expected {
  answer: string;
  length: number;
  digest: string;
}

const expected = new Map<string, Promise<Expected>>();

function expectedOf(name: string, operation: Operation): Promise<Expected> {
  const known = expected.get(name);
  if (known !== undefined) return known;
  const found = (async (): Promise<Expected> => {
    const first = await answerTo(operation, harmless);
    // Dates in results have a resolution of one second, in ZIP files of two.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const second = await answerTo(operation, harmless);
    const isSame = digestOf(first.body) === digestOf(second.body);
    return { answer: first.answer, length: first.body.length, digest: isSame ? digestOf(first.body) : '' };
  })();
  expected.set(name, found);
  return found;
}

function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

function differenceFrom({ answer, length, digest }: Expected, next: Answer): string {
  if (next.answer !== answer) return `${next.answer} instead of ${answer}`;
  if (digest !== '') return digestOf(next.body) === digest ? 'right' : 'other bytes';
  return Math.abs(next.body.length - length) < 200 ? 'right' : 'another length';
}

/** Megabytes of a value in the status of this process (proc(5)). */
function memoryOf(name: 'VmHWM' | 'VmRSS'): number {
  const line = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'));
  return Math.round(Number(line?.[1]) / 1024);
}

async function run({ file, operation: name }: Order): Promise<Outcome> {
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new Error(`no operation is named ${name}`);
  const expectation = await expectedOf(name, operation);
  const content = readFileSync(file);
  // Resets the peak of the process (proc(5)).
  writeFileSync('/proc/self/clear_refs', '5');
  const started = performance.now();
  const { answer } = await answerTo(operation, content);
  const milliseconds = performance.now() - started;
  const peak = memoryOf('VmHWM');
  const next = differenceFrom(expectation, await answerTo(operation, harmless));
  return { answer, milliseconds, peak, held: memoryOf('VmRSS'), next };
}

process.on('message', (order: Order) => {
  void run(order).then((outcome) => process.send?.(outcome));
});
