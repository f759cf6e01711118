import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  compressPdf,
  encryptPdf,
  inspectPdf,
  pageCount,
  pagesOfRange,
  selectPages,
  stampPdf,
} from '../../packages/pdf/src/index.ts';
import { expectSound, pageTexts, rawPdf, run, textPages, workspace } from './fixtures.ts';

describe('page ranges (I-21)', () => {
  it.each([
    ['1-3,5,8-', 9, [1, 2, 3, 5, 8, 9]],
    ['-3', 9, [1, 2, 3]],
    [' 2 , 4 - 5', 5, [2, 4, 5]],
    ['5,1,1-2', 5, [1, 2, 5]],
    ['1-', 1, [1]],
  ])('reads %j of %i pages', (range, pages, expected) => {
    expect(pagesOfRange(range, pages)).toEqual(expected);
  });

  it.each(['', ',', '1,', 'a', '1-2-3', '-', '3-1', '1.5', '１'])('refuses %j as not a range', (range) => {
    expect(() => pagesOfRange(range, 9)).toThrow(expect.objectContaining({ code: 'page_range_invalid' }));
  });

  it.each(['0', '0-3', '10', '8-10', '10-', '99999999999999999999'])(
    'refuses %j as outside of 9 pages',
    (range) => {
      expect(() => pagesOfRange(range, 9)).toThrow(
        expect.objectContaining({ code: 'page_range_outside_document' }),
      );
    },
  );
});

describe('shared operations', () => {
  it('counts pages and detects whether a file is encrypted', async () => {
    const at = workspace();
    const plain = textPages(at('a.pdf'), ['one', 'two']);
    run('qpdf', plain, '--encrypt', '', 'owner', '256', '--', at('owner.pdf'));
    expect(await inspectPdf(plain)).toEqual({ pages: 2, encrypted: false });
    expect(await inspectPdf(at('owner.pdf'))).toEqual({ pages: 2, encrypted: true });
  });

  it('counts the existing pages, not the count in the page tree', async () => {
    const at = workspace();
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>';
    const pages = '<< /Type /Pages /Count 5 /Kids [3 0 R 4 0 R] >>';
    rawPdf(at('a.pdf'), ['<< /Type /Catalog /Pages 2 0 R >>', pages, page, page]);
    expect(await pageCount(at('a.pdf'))).toBe(2);
  });

  it('takes pages in the order given, or by range', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one', 'two', 'three']);
    await selectPages(input, at('numbers.pdf'), [3, 1]);
    await selectPages(input, at('range.pdf'), '2-');
    expect(pageTexts(at('numbers.pdf'))).toEqual(['three', 'one']);
    expect(pageTexts(at('range.pdf'))).toEqual(['two', 'three']);
    expectSound(at('numbers.pdf'));
  });

  it('encrypts with AES-256 so that the file opens only with the password, in any script', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['secret']);
    await encryptPdf(input, at('e.pdf'), { password: 'пароль€\n@x' });
    const password = 'пароль€\n@x';
    expect(run('qpdf', '--show-encryption', `--password=${password}`, at('e.pdf'))).toMatch(
      /R = 6\n[^]*AESv3/,
    );
    expect(pageTexts(at('e.pdf'), password)).toEqual(['secret']);
    expect(() => run('pdftotext', at('e.pdf'), '-')).toThrow('Incorrect password');
    await expect(pageCount(at('e.pdf'))).rejects.toMatchObject({ code: 'pdf_password_required' });
    await expect(pageCount(at('e.pdf'), { password: 'no' })).rejects.toMatchObject({
      code: 'pdf_password_wrong',
    });
    expect(await pageCount(at('e.pdf'), { password })).toBe(1);
  });

  it('refuses a password that encryption would cut off', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['secret']);
    const encrypting = encryptPdf(input, at('e.pdf'), { password: '€'.repeat(43) });
    await expect(encrypting).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('stamps one document over another', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one', 'two']);
    await stampPdf(input, textPages(at('s.pdf'), ['stamp']), at('o.pdf'), { pages: [2] });
    expect(pageTexts(at('o.pdf'))[0]).toBe('one');
    expect(run('qpdf', '--show-npages', at('o.pdf')).trim()).toBe('2');
    expectSound(at('o.pdf'));
  });

  it('never makes a file larger by compressing it', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one']);
    await compressPdf(input, at('c.pdf'));
    await compressPdf(at('c.pdf'), at('again.pdf'));
    expect(statSync(at('c.pdf')).size).toBeLessThan(statSync(input).size);
    expect(statSync(at('again.pdf')).size).toBe(statSync(at('c.pdf')).size);
  });
});

describe('bad input and limits', () => {
  it('distinguishes a file that is not a PDF from a broken one', async () => {
    const at = workspace();
    writeFileSync(at('x.pdf'), 'PK\u0003\u0004 not a PDF');
    writeFileSync(at('empty.pdf'), '');
    const sound = readFileSync(textPages(at('a.pdf'), ['one']));
    writeFileSync(at('cut.pdf'), sound.subarray(0, 300));
    await expect(pageCount(at('x.pdf'))).rejects.toMatchObject({ code: 'pdf_invalid' });
    await expect(pageCount(at('empty.pdf'))).rejects.toMatchObject({ code: 'pdf_invalid' });
    await expect(pageCount(at('cut.pdf'))).rejects.toMatchObject({ code: 'pdf_damaged' });
  });

  it('ends work that takes too long, and the next call succeeds', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one']);
    await expect(pageCount(input, { limits: { timeout: 1 } })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect(await pageCount(input)).toBe(1);
  });

  it('ends work that needs too much memory', async () => {
    const at = workspace();
    const kids = Array.from({ length: 100_000 }, (_, n) => `${n + 3} 0 R`);
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] >>';
    const pages = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`;
    const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
    const input = rawPdf(at('a.pdf'), [catalog, pages, ...kids.map(() => page)]);
    const limits = { memory: 18 * 2 ** 20 };
    await expect(pageCount(input, { limits })).rejects.toMatchObject({ code: 'pdf_too_complex' });
    expect(await pageCount(input)).toBe(100_000);
  });

  it('ends when its request is aborted, waiting or running', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one']);
    const gone = new AbortController();
    const calls = Array.from({ length: 8 }, () => pageCount(input, { signal: gone.signal }));
    gone.abort(new Error('gone'));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
    expect(await pageCount(input)).toBe(1);
  });

  it('serves a hundred at once and leaves no file behind', async () => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one']);
    mkdirSync(at('scratch'));
    vi.stubEnv('TMPDIR', at('scratch'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const calls = Array.from({ length: 100 }, async (_, n) => {
      copyFileSync(input, at(`${n}.pdf`));
      return pageCount(at(`${n}.pdf`));
    });
    expect(new Set(await Promise.all(calls))).toEqual(new Set([1]));
    expect(readdirSync(at('scratch'))).toEqual([]);
  });
});
