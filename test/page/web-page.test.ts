import { describe, expect, it } from 'vitest';
import { loadWebPage } from '../../packages/print/src/page/web-page.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';

function answering(bytes: Uint8Array | string, contentType?: string, status = 200): Fetcher {
  return {
    fetch: async (url) => ({
      url: `${url}final`,
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    }),
  };
}

describe('a web page to be printed (I-34)', () => {
  it('keeps the address it was found at in the end', async () => {
    const page = await loadWebPage(answering('<title>T</title>', 'text/html'), 'https://e.example/');
    expect(page).toMatchObject({ address: 'https://e.example/final' });
  });

  it.each<[string, Buffer, string]>([
    ['the header', Buffer.from([0xe9]), 'text/html; charset="ISO-8859-1"'],
    ['the page', Buffer.from('<meta charset=windows-1252>\xe9', 'latin1'), 'text/html'],
    [
      'the page, the old way',
      Buffer.from('<META content="text/html; charset=iso-8859-15">\xe9', 'latin1'),
      'text/html',
    ],
    ['the header over the page', Buffer.from('<meta charset=windows-1252>é'), 'text/html; charset=utf-8'],
    ['a byte order mark over both', Buffer.from('\ufeffé'), 'text/html; charset=iso-8859-1'],
    ['UTF-16 by its mark', Buffer.from('\ufeffé', 'utf16le'), 'text/html'],
    ['nobody', Buffer.from('é'), 'text/html'],
    ['somebody who does not know', Buffer.from('é'), 'text/html; charset=klingon'],
  ])('is decoded with the charset of %s', async (_, bytes, contentType) => {
    expect((await loadWebPage(answering(bytes, contentType), 'https://e.example/')).html).toContain('é');
  });

  it('reads the dashes and the euro sign of windows-1252, by all of its names', async () => {
    for (const label of ['windows-1252', 'iso-8859-1', 'latin1']) {
      const page = await loadWebPage(
        answering(Buffer.from('\x80 \x96 \x93', 'latin1'), `text/html; charset=${label}`),
        'https://e.example/',
      );
      expect(page.html).toBe('€ – “');
    }
  });

  it('shows plain text as text', async () => {
    const { html } = await loadWebPage(
      answering('a <b>\n& c', 'text/plain; charset=utf-8'),
      'https://e.example/',
    );
    expect(html).toContain('a &lt;b>\n&amp; c');
  });

  it.each([
    ['an error', answering('gone', 'text/html', 404), 'status 404'],
    ['a picture', answering('x', 'image/png'), 'image/png'],
    ['a PDF', answering('x', 'application/pdf'), 'application/pdf'],
  ])('is not %s', async (_, fetcher, message) => {
    await expect(loadWebPage(fetcher, 'https://e.example/')).rejects.toMatchObject({
      code: 'url_unreachable',
      message: expect.stringContaining(message),
    });
  });
});
