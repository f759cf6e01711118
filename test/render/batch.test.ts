import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Batch, isOfRecord, type Rendered, renderBatch } from '../../functions/render/batch.ts';
import { ZipCollector } from '../../functions/render/collect.ts';
import type { OutputFormat } from '../../functions/render/output.ts';
import { type ErrorCode, ERRORS } from '../../packages/contract/src/errors.ts';
import { PlatenError } from '../../packages/core/src/errors.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'platen-batch-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const unnamed = (bytes: Uint8Array): Rendered => ({ bytes, name: null, report: null });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `{"n":${i}}`);

type Given = Partial<Omit<Batch, 'collector'>> & { output?: OutputFormat; folder?: string };

/** Renders a batch. @returns path of its ZIP */
async function zipped({ output = 'pdf', folder = directory, ...over }: Given): Promise<string> {
  const records = over.records ?? numbers(3);
  const path = join(folder, 'batch.zip');
  await renderBatch({
    records,
    onError: 'fail',
    concurrency: 4,
    render: async (record) => unnamed(Buffer.from(`document of ${record}`)),
    collector: new ZipCollector(path, { name: 'Letter', count: records.length, output }),
    ...over,
  });
  return path;
}

const entries = (zip: string) => execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8' }).trim().split('\n');
const entry = (zip: string, name: string) => execFileSync('unzip', ['-p', zip, name], { encoding: 'utf8' });

/** Fails for the records of these numbers. */
function failingFor(...failing: number[]): Batch['render'] {
  return async (record) => {
    const { n } = JSON.parse(record) as { n: number };
    if (failing.includes(n)) {
      const faults = [{ field: 'file_data', message: `no ${n}`, line: 2 }];
      throw new PlatenError('template_render', `Record says no ${n}.`, { faults });
    }
    return unnamed(Buffer.from(record));
  };
}

describe('a batch', () => {
  it('is a ZIP in the order of the records, in any order of rendering (I-15)', async () => {
    const render = async (record: string) => {
      const { n } = JSON.parse(record) as { n: number };
      await new Promise((resolve) => setTimeout(resolve, (7 * n) % 20));
      return unnamed(Buffer.from(record));
    };
    const zip = await zipped({ records: numbers(120), render });
    execFileSync('unzip', ['-tq', zip]);
    const names = numbers(120).map((_, i) => `Letter-${String(i + 1).padStart(3, '0')}.pdf`);
    expect(entries(zip)).toEqual(names);
    expect(entry(zip, 'Letter-100.pdf')).toBe('{"n":99}');
  });

  it('holds few documents in memory: no record is started far ahead of the one being written', async () => {
    let started = 0;
    let finished = 0;
    let most = 0;
    const render = async () => {
      started += 1;
      most = Math.max(most, started - finished);
      await new Promise((resolve) => setTimeout(resolve, 1));
      finished += 1;
      return unnamed(Buffer.alloc(10));
    };
    await zipped({ records: numbers(200), concurrency: 4, render });
    expect(most).toBeLessThanOrEqual(4);
  });

  it('fails as a whole and reports the failing records by index (I-17)', async () => {
    await expect(zipped({ records: numbers(6), render: failingFor(1, 4) })).rejects.toMatchObject({
      code: 'batch_failed',
      message: expect.stringContaining('the 2nd, 5th cannot be rendered') as string,
      faults: [
        { record: 1, message: 'no 1', line: 2 },
        { record: 4, message: 'no 4', line: 2 },
      ],
    });
  });

  it('gives up after ten failing records', async () => {
    let started = 0;
    const render: Batch['render'] = async (record, index) => {
      started += 1;
      return await failingFor(...Array.from({ length: 500 }, (_, i) => i))(record, index);
    };
    await expect(zipped({ records: numbers(500), render })).rejects.toMatchObject({
      code: 'batch_failed',
    });
    expect(started).toBeLessThan(20);
  });

  it('with skip contains the good ones and errors.json, numbered as their records (I-17)', async () => {
    const zip = await zipped({ records: numbers(4), onError: 'skip', render: failingFor(0, 2) });
    expect(entries(zip)).toEqual(['Letter-2.pdf', 'Letter-4.pdf', 'errors.json']);
    expect(JSON.parse(entry(zip, 'errors.json'))).toMatchObject([
      { record: 0, code: 'template_render', detail: 'Record says no 0.', errors: [{ line: 2 }] },
      { record: 2 },
    ]);
  });

  it('ends at once, also with skip, when the fault is not a record’s', async () => {
    const render = async () => {
      throw new PlatenError('engine_unavailable', 'no browser');
    };
    await expect(zipped({ onError: 'skip', render })).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('ends at an error that no record causes, and only at such an error', () => {
    const ends = Object.keys(ERRORS).filter((code) => !isOfRecord(new PlatenError(code as ErrorCode, '')));
    // What a client or the service as a whole does wrong, and what is checked or fetched once for all records.
    const shared = [
      'template_syntax',
      'certificate_expired',
      'timestamp_unavailable',
      'revocation_unavailable',
    ];
    const others = Object.entries(ERRORS).filter(
      ([code, { status }]) => ![413, 422].includes(status) && code !== 'deadline_exceeded',
    );
    expect(ends.sort()).toEqual([...shared, ...others.map(([code]) => code)].sort());
  });

  it('ends at its own deadline, but not at that of one document', async () => {
    const late = async (record: string) => {
      if (record === '{"n":1}') throw new PlatenError('deadline_exceeded', 'not printed within 30 seconds');
      return unnamed(Buffer.from(record));
    };
    const zip = await zipped({ onError: 'skip', render: late });
    expect(JSON.parse(entry(zip, 'errors.json'))).toMatchObject([{ record: 1, code: 'deadline_exceeded' }]);
    const signal = AbortSignal.abort();
    await expect(zipped({ onError: 'skip', render: late, signal })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });

  it('throws when the disk takes no more', async () => {
    const render = async () => unnamed(Buffer.alloc(1000));
    await expect(zipped({ folder: '/proc/self', render })).rejects.toThrow(/EACCES|ENOENT|EPERM/);
  });

  it('on a full disk ends with the error of the disk, and the next one succeeds after space was freed', async () => {
    symlinkSync('/dev/full', join(directory, 'batch.zip'));
    const render = async () => unnamed(Buffer.alloc(1_000_000));
    await expect(zipped({ render })).rejects.toMatchObject({ code: 'ENOSPC' });
    unlinkSync(join(directory, 'batch.zip'));
    execFileSync('unzip', ['-tq', await zipped({ render })]);
  });

  it('stores PDFs as they are and packs html', async () => {
    const render = async () => unnamed(Buffer.alloc(100_000, 'a'));
    const pdf = await zipped({ records: numbers(1), render });
    expect(readFileSync(pdf).length).toBeGreaterThan(100_000);
    const html = await zipped({ records: numbers(1), output: 'html', render });
    expect(readFileSync(html).length).toBeLessThan(5_000);
  });
});
