import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressPdf, encryptPdf, inspectPdf } from '../../packages/pdf/src/index.ts';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { type CallOptions, DEFAULT_LIMITS, runTask } from '../../packages/pdf/src/thread.ts';
import { richPdf } from '../pdf/rich.ts';

/** Threads that do one task after the other (decision record 0051). */

const TEST_WORKER = new URL('./greedy.worker.ts', import.meta.url);
const give = (task: string, input: unknown = {}, options: CallOptions = {}): Promise<unknown> =>
  runTask(TEST_WORKER, task, input, options);

describe('a thread', () => {
  it('is given the next task when it has done one', async () => {
    expect(await give('thread')).toBe(await give('thread'));
  });

  it('is given the next task after one that has left much garbage', async () => {
    expect(await give('allocateAndDrop')).toBe(await give('thread'));
  });

  it('is at one task at a time', async () => {
    // Long enough for the other task to begin.
    const slow = { milliseconds: 300 };
    const ids = await Promise.all([give('thread', slow), give('thread', slow)]);
    expect(new Set(ids).size).toBe(2);
  });

  const small = { limits: { memory: 32 << 20 } };
  const hours = { milliseconds: 9e6 };
  it.each([
    ['a task that fails', 'fail', {}, () => ({})],
    ['a task that runs past its deadline', 'sleep', hours, () => ({ limits: { timeout: 300 } })],
    ['a task that needs too much memory', 'allocateEndlessly', {}, () => small],
    ['a task whose buffers grow past its limit', 'buffers', { megabytes: 4_000 }, () => small],
    ['a task whose request is gone', 'sleep', hours, () => ({ signal: AbortSignal.timeout(300) })],
    ['a task that nobody knows', 'nothing', {}, () => ({})],
  ])('is ended by %s', async (_, task, input, options: () => CallOptions) => {
    // A thread is given tasks with the limit of memory that it was started with.
    const memory = options().limits?.memory ?? DEFAULT_LIMITS.memory;
    const before = await give('thread', {}, { limits: { memory } });
    await expect(give(task, input, options())).rejects.toThrow(/damaged|longer|more memory|aborted|no task/);
    expect(await give('thread', {}, { limits: { memory } })).not.toBe(before);
  });

  it.each([
    ['that used what keeps state', 'leave'],
    ['after which it holds much memory', 'hold'],
  ])('is ended after a task %s', async (_, task) => {
    const before = await give(task);
    expect(await give('thread')).not.toBe(before);
  });
});

describe('documents that one thread works on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-kept-'));
  const at = (name: string): string => join(folder, name);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    richPdf(at('a.pdf'), 'alpha');
    richPdf(at('b.pdf'), 'beta');
  });

  /** What all operations make of the second document. */
  async function results(prefix: string): Promise<string[]> {
    const [merged, compressed] = [at(`${prefix}-merged.pdf`), at(`${prefix}-compressed.pdf`)];
    await mergePdfs([{ path: at('b.pdf') }, { path: at('b.pdf') }], merged);
    await compressPdf(at('b.pdf'), compressed);
    // qpdf makes up identifiers.
    return [merged, compressed].map((path) => readFileSync(path, 'latin1').replace(/\/ID \[[^\]]*\]/, ''));
  }

  it('are the same as in a new thread, without data of earlier documents, and no file stays open', async () => {
    // The first tasks of this process: their threads have worked on nothing.
    const fresh = await results('new');
    await inspectPdf(at('a.pdf'));
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let round = 0; round < 5; round++) {
      await mergePdfs([{ path: at('a.pdf') }, { path: at('b.pdf') }], at('other.pdf'));
      await encryptPdf(at('a.pdf'), at('encrypted.pdf'), { password: 'secret' });
      await inspectPdf(at('encrypted.pdf'), { password: 'secret' });
      await compressPdf(at('a.pdf'), at('other.pdf'));
    }
    expect(await results('kept')).toEqual(fresh);
    expect(open()).toBe(before);
  });
});

it('modules in reused threads have no variables that could hold data of a document', () => {
  // Machine code, constant tables and scripts, each the same for every document.
  const constant = [
    'packages/pdf/src/conformance/catalog.ts: let compressed',
    'packages/pdf/src/conformance/icc.ts: let profile',
    'packages/pdf/src/files/qpdf.ts: let compiled',
    'packages/pdf/src/files/qpdf.ts: let script',
    'packages/pdf/src/pdfium/binary.ts: let compiled',
    'packages/pdf/src/text/harfbuzz.ts: let compiled',
  ];
  // A `let`, or what begins empty and is filled later. Keys of a WeakMap are objects of one task, and go with it.
  const variable =
    /^(?:export )?(let \w+|const \w+(?=[^\n]* = (?:\[\]|\{\}|new (?:Map|Set)(?:<[^\n]*>)?\(\));$))/gm;
  const found = globSync('packages/pdf/src/**/*.ts').flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(variable), ([, text]) => `${file}: ${text}`),
  );
  expect(found.sort()).toEqual(constant);
});
