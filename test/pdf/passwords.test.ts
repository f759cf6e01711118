import { copyFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../packages/pdf/src/files/engine.ts';
import { encryptPdf, inspectPdf } from '../../packages/pdf/src/index.ts';
import { openPdfFile } from '../../packages/pdf/src/model/index.ts';
import { imagesOfPages } from '../../packages/pdf/src/operations/images.ts';
import { mergePdfs } from '../../packages/pdf/src/operations/merge.ts';
import { prepared } from '../../packages/pdf/src/files/passwords.ts';
import { compileQpdf } from '../../packages/pdf/src/files/qpdf.ts';
import { saveProtected } from '../../packages/pdf/src/files/save-protected.ts';
import { pageTexts, run, textPages, workspace } from './fixtures.ts';

describe('passwords of AES-256 are prepared (RFC 4013)', () => {
  it.each([
    // The examples of RFC 4013, section 3.
    ['I\u00adX', 'IX'],
    ['user', 'user'],
    ['\u00aa', 'a'],
    ['\u2168', 'IX'],
    ['pa\u0308ss\u00a0wort', 'p\u00e4ss wort'],
    ['\uff50\uff44\uff46', 'pdf'],
  ])('%j is %j', (given, expected) => {
    expect(prepared(given)).toBe(expected);
  });

  it('so that another way of typing opens the file, and files of programs that do not prepare them open too', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    await encryptPdf(path, at('e.pdf'), { password: 'pa\u0308sswort' });
    run('qpdf', '--suppress-password-recovery', '--password=p\u00e4sswort', '--show-npages', at('e.pdf'));
    for (const password of ['pa\u0308sswort', 'p\u00e4sswort'])
      expect(await inspectPdf(at('e.pdf'), { password })).toMatchObject({ pages: 1 });
    run('qpdf', '--encrypt', 'pa\u0308ss', 'x', '256', '--', path, at('raw.pdf'));
    expect(await inspectPdf(at('raw.pdf'), { password: 'pa\u0308ss' })).toMatchObject({ pages: 1 });
    await expect(inspectPdf(at('raw.pdf'), { password: 'p\u00e4ss' })).rejects.toMatchObject({
      code: 'pdf_password_wrong',
    });
  });
});

/** Protects a file with a password of these bytes, as older programs do. */
function oldProtection(path: string, output: string, password: Buffer, ...how: string[]): string {
  const hex = password.toString('hex');
  run(
    'qpdf',
    '--allow-weak-crypto',
    '--password-mode=hex-bytes',
    '--encrypt',
    hex,
    hex,
    ...how,
    '--',
    path,
    output,
  );
  return output;
}

describe.each([
  ['RC4 of 40 bits', ['40']],
  ['RC4', ['128', '--use-aes=n']],
  ['AES-128', ['128', '--use-aes=y']],
])('%s', (_, how) => {
  it.each([
    ['PDFDocEncoding', 'p\u00e4ss\u0153\u20ac', [0x70, 0xe4, 0x73, 0x73, 0x9c, 0xa0]],
    ['Windows-1252', 'p\u00e4ss\u0153\u20ac', [0x70, 0xe4, 0x73, 0x73, 0x9c, 0x80]],
    ['UTF-8', 'p\u00e4ss', [0x70, 0xc3, 0xa4, 0x73, 0x73]],
  ])('opens with a password in %s', async (_encoding, password, bytes) => {
    const at = workspace();
    const plain = textPages(at('a.pdf'), ['one']);
    const path = oldProtection(plain, at('e.pdf'), Buffer.from(bytes), ...how);
    const input = { path, password };
    await mergePdfs([input, { path: plain }], at('m.pdf'));
    expect(pageTexts(at('m.pdf'))).toEqual(['one', 'one']);
    await imagesOfPages(input, { format: 'png', name: 'a', scratch: at('.'), dpi: 36 });
    // It keeps its protection.
    const engine = new Engine(await compileQpdf(), at('.'));
    await saveProtected(engine, await openPdfFile(plain), at('p.pdf'), { as: input });
    writeFileSync(at('word'), Buffer.from(bytes));
    run(
      'qpdf',
      `--password-file=${at('word')}`,
      '--suppress-password-recovery',
      '--show-npages',
      at('p.pdf'),
    );
    copyFileSync(at('p.pdf'), at('c.pdf'));
    await expect(inspectPdf(at('c.pdf'), { password: 'p\u00e4x' })).rejects.toMatchObject({
      code: 'pdf_password_wrong',
    });
  });
});
