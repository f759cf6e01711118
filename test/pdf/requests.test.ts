import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bodyText, gatewayEvent, multipart } from '../support/gateway-event.ts';
import { field, file, post, serve } from './ask.ts';
import { describePdf } from './describe.ts';
import { expectSound, pageTexts, run, textPages, workspace } from './fixtures.ts';
import { richPdf } from './rich.ts';

describe('requests as clients send them', () => {
  it('merges parts file0, file1, … in the order of their numbers', async () => {
    const at = workspace();
    const [a, b] = [textPages(at('a.pdf'), ['one']), textPages(at('b.pdf'), ['two'])];
    const answer = await post(
      '/v1/pdf/merge',
      [file(b, 'file1', ''), file(a, 'file0', 'First.pdf')],
      at('m.pdf'),
    );
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } });
    expect(answer.headers['content-disposition']).toBe('attachment; filename=First-merged.pdf');
    expect(pageTexts(at('m.pdf'))).toEqual(['one', 'two']);
  });

  it('splits by splits="[2,3]" and by splits="[[1,2],[3]]"', async () => {
    const at = workspace();
    const path = richPdf(at('a.pdf'), 'alpha');
    const single = await post('/v1/pdf/split', [file(path), field('splits', '[2,3]')], at('s.pdf'));
    expect(single.status).toBe(200);
    expect(describePdf(at('s.pdf')).pages).toHaveLength(2);
    const zip = await post(
      '/v1/pdf/split-zip',
      [file(path, 'file', 'Bericht ü.pdf'), field('splits', '[[1,2],[3]]')],
      at('s.zip'),
    );
    expect(zip.headers['content-type']).toBe('application/zip');
    expect(run('unzip', '-Z1', at('s.zip')).trim().split('\n')).toEqual([
      'Bericht ü-1.pdf',
      'Bericht ü-2.pdf',
    ]);
  });

  it('compresses with options such as {"quality":"high"} and booleans', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    for (const options of [{ quality: 'high' }, { linearize: 'true', object_streams: 0 }, undefined]) {
      const parts = options === undefined ? [file(path)] : [file(path), field('options', options)];
      expect(await post('/v1/pdf/compress', parts, at('c.pdf'))).toMatchObject({ status: 200 });
      expectSound(at('c.pdf'));
    }
  });

  it('edits metadata by keys with and without a slash', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    const parts = [file(path), field('metadata', { '/Title': 'T', Author: 'A' })];
    expect((await post('/v1/pdf/metadata', parts, at('m.pdf'))).status).toBe(200);
    expect(run('pdfinfo', at('m.pdf'))).toMatch(/Title: +T\nAuthor: +A/);
  });

  it('encrypts by `password` and by options={"encrypt_password":…}', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one']);
    for (const password of [field('password', 'pw'), field('options', { encrypt_password: 'pw' })]) {
      expect((await post('/v1/pdf/encrypt', [file(path), password], at('e.pdf'))).status).toBe(200);
      expect(pageTexts(at('e.pdf'), 'pw')).toEqual(['one']);
      expect(() => run('pdftotext', at('e.pdf'), '-')).toThrow('Incorrect password');
    }
    const none = await post('/v1/pdf/encrypt', [file(path)], at('e.pdf'));
    expect(none).toMatchObject({
      status: 422,
      problem: { code: 'missing_field', errors: [{ field: 'password' }] },
    });
    const allowed = [file(path), field('password', 'pw'), field('permissions', { copy: true, print: false })];
    await post('/v1/pdf/encrypt', allowed, at('e.pdf'));
    const shown = run('qpdf', '--show-encryption', '--password=pw', at('e.pdf'));
    expect(shown).toContain('extract for any purpose: allowed');
    expect(shown).toContain('print high resolution: not allowed');
  });

  it('draws one page as an image and several as a ZIP', async () => {
    const at = workspace();
    const path = textPages(at('a.pdf'), ['one', 'two']);
    const one = await post(
      '/v1/pdf/image/png',
      [file(path), field('pages', '2'), field('dpi', '72')],
      at('p.png'),
    );
    expect(one.headers['content-disposition']).toBe('attachment; filename=Report.png');
    expect(run('identify', '-format', '%m %wx%h', at('p.png'))).toBe('PNG 595x842');
    const all = await post('/v1/pdf/image/JPG', [file(path)], at('p.zip'));
    expect(all.headers['content-type']).toBe('application/zip');
    expect(run('unzip', '-Z1', at('p.zip')).trim().split('\n')).toEqual(['Report-1.jpg', 'Report-2.jpg']);
  });

  it.each([
    ['/v1/pdf/split', field('splits', '[1]')],
    ['/v1/pdf/split-zip', field('splits', '[[1]]')],
    ['/v1/pdf/compress', field('options', {})],
    ['/v1/pdf/metadata', field('metadata', { Title: 'x' })],
    ['/v1/pdf/encrypt', field('password', 'new')],
    ['/v1/pdf/image/png', field('dpi', 50)],
    ['/v1/pdf/image/pdf', field('dpi', 50)],
    ['/v1/pdf/merge', null],
  ])('%s opens a protected input with input_password, and refuses it without', async (path, rest) => {
    const at = workspace();
    run('qpdf', textPages(at('a.pdf'), ['one']), '--encrypt', 'user', 'owner', '256', '--', at('e.pdf'));
    const input = file(at('e.pdf'));
    const parts =
      rest === null
        ? [
            { ...input, name: 'file1' },
            { ...input, name: 'file2' },
          ]
        : [input, rest];
    const without = await post(path, parts, at('x'));
    expect([without.status, without.problem['code']]).toEqual([422, 'pdf_password_required']);
    const wrong = await post(path, [...parts, field('input_password', 'no')], at('x'));
    expect([wrong.status, wrong.problem['code']]).toEqual([422, 'pdf_password_wrong']);
    const right = await post(path, [...parts, field('input_password', 'user')], at('x'));
    expect(right.status).toBe(200);
  });
});

describe('a wrong request is refused with its reason', () => {
  it.each([
    ['/v1/pdf/split', '[]', 'splits'],
    ['/v1/pdf/split', '[0]', 'splits[0]'],
    ['/v1/pdf/split', '[9]', 'splits'],
    ['/v1/pdf/split', '[3,1]', 'splits'],
    ['/v1/pdf/split', 'x', 'splits'],
    ['/v1/pdf/split-zip', '[]', 'splits'],
    ['/v1/pdf/split-zip', '[[1],[]]', 'splits[1]'],
    ['/v1/pdf/split-zip', '[[1],[2,9]]', 'splits[1]'],
  ])('%s with splits=%s', async (path, splits, faulty) => {
    const at = workspace();
    const input = textPages(at('a.pdf'), ['one', 'two', 'three']);
    const answer = await post(path, [file(input), field('splits', splits)], at('x'));
    expect(answer.status === 422 || answer.status === 400).toBe(true);
    expect(JSON.stringify(answer.problem['errors'] ?? answer.problem['detail'])).toContain(
      faulty.replace(/\[0\]$/, ''),
    );
  });

  it('in an unknown image format, with pages outside of the document, or at a resolution that is too high', async () => {
    const at = workspace();
    const input = file(textPages(at('a.pdf'), ['one']));
    expect(await post('/v1/pdf/image/heic', [input], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'image_format_unsupported' },
    });
    expect(await post('/v1/pdf/image/png', [input, field('pages', '2-')], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'page_range_outside_document', errors: [{ field: 'pages' }] },
    });
    expect(await post('/v1/pdf/image/png', [input, field('dpi', '1200')], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'invalid_option', errors: [{ field: 'dpi' }] },
    });
  });

  it('with a file that is not a PDF, an empty file or no file', async () => {
    const at = workspace();
    writeFileSync(at('x.pdf'), 'PK\u0003\u0004');
    expect(await post('/v1/pdf/compress', [file(at('x.pdf'))], at('x'))).toMatchObject({
      status: 422,
      problem: { code: 'pdf_invalid' },
    });
    expect((await post('/v1/pdf/compress', [field('options', {})], at('x'))).status).toBe(422);
    writeFileSync(at('empty.pdf'), '');
    expect((await post('/v1/pdf/compress', [file(at('empty.pdf'))], at('x'))).status).toBe(422);
  });

  it('after its deadline', async () => {
    const at = workspace();
    const parts = [file(textPages(at('a.pdf'), ['one']))];
    const event = gatewayEvent({ method: 'POST', path: '/v1/pdf/compress', ...multipart(parts) });
    const reply = await serve(event, { getRemainingTimeInMillis: () => 1_510 });
    expect(reply.status).toBe(504);
    expect(bodyText(reply)).toContain('deadline_exceeded');
  });

  it('leaves no file behind, whether it succeeds or fails', async () => {
    const at = workspace();
    const input = file(textPages(at('a.pdf'), ['one', 'two']));
    mkdirSync(at('tmp'));
    vi.stubEnv('TMPDIR', at('tmp'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await post('/v1/pdf/split-zip', [input, field('splits', '[[1],[2]]')], at('x'));
    await post('/v1/pdf/split-zip', [input, field('splits', '[[1],[3]]')], at('x'));
    await post('/v1/pdf/image/png', [input], at('x'));
    await post('/v1/pdf/compress', [{ ...input, content: 'broken' }], at('x'));
    expect(readdirSync(at('tmp'))).toEqual([]);
  });
});
