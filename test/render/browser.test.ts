import { describe, expect, it } from 'vitest';
import { credentialsOf } from '../../functions/render/browser.ts';
import { DocumentFaults } from '../../functions/render/faults.ts';
import { requestedSettings } from '../../functions/render/settings.ts';
import { frontMatterOptions } from '../../packages/contract/src/front-matter.ts';
import { furnitureTexts } from '../../packages/contract/src/furniture.ts';
import { entryPicker } from '../../packages/print/src/by-page.ts';
import { cachingFetcher, createFetcher } from '../../packages/print/src/fetcher/index.ts';
import { htmlOfMarkdown } from '../../packages/print/src/page/markdown.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

describe('cookies and headers (I-53)', () => {
  const sent = async (address: string): Promise<unknown> => {
    const credentials = await credentialsOf({
      cookies: [
        { name: 'a', value: '1', domain: 'e.example' },
        { name: 'b', value: '2', domain: '.e.example', path: '/in' },
        { name: 'c', value: '3', domain: 'e.example', secure: true },
      ],
      headers: [
        { origin: 'https://e.example:443', name: 'Authorization', value: 'me' },
        { scope: '^https?://([a-z]+\\.)*api\\.example/[^#]*$', name: 'X-Key', value: 'k' },
      ],
    });
    return credentials?.(new URL(address));
  };

  it.each([
    ['https://e.example/', { authorization: 'me', cookie: 'a=1; c=3' }],
    ['http://e.example/in/deep', { cookie: 'a=1; b=2' }],
    ['https://sub.e.example/in', { cookie: 'b=2' }],
    ['https://sub.e.example/inner', {}],
    ['https://e.example.evil/', {}],
    ['https://note.example/', {}],
    ['https://e.example:8443/', { cookie: 'a=1; c=3' }],
    ['https://api.example/#part', { 'x-key': 'k' }],
    ['http://deep.API.example/a?b', { 'x-key': 'k' }],
    ['https://note.example/https://api.example/', {}],
    ['https://api.example.evil/', {}],
    ['https://api.example@note.example/', {}],
    [`https://api.example/${'a'.repeat(8_200)}`, {}],
  ])('go to %s as far as they belong there', async (address, expected) => {
    expect(await sent(address)).toEqual(expected);
  });

  it.each([
    ['*.', /missing argument/],
    ['(?=a)b', /render_options\.headers\[0\]\.scope/],
    ['(a)\\1', /not valid/],
    ['(a?){1000}a{1000}', /too large/],
    ['a'.repeat(1_001), /longer than/],
  ])('a scope that is no pattern of linear time is refused: %s', async (scope, message) => {
    const given = credentialsOf({ headers: [{ scope, name: 'X-Key', value: 'k' }] });
    await expect(given).rejects.toThrow(message);
    await expect(given).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('all scopes of a request have one budget', async () => {
    const headers = Array.from({ length: 30 }, () => ({ scope: 'a{100}', name: 'X-Key', value: 'k' }));
    await expect(credentialsOf({ headers })).rejects.toThrow(/headers\[\d+\]\.scope .* too large together/);
  });

  it('do not follow a redirect to where they do not belong', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      const port = String((server.address() as AddressInfo).port);
      if (request.url === '/away')
        response.writeHead(302, { location: `http://other.example:${port}/` }).end();
      else response.end('there');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const open = createFetcher({ outside: 'open', isAllowedAddress: () => true, resolve });
    const fetcher = cachingFetcher(open, 1_000_000);
    const origin = `http://one.example:${port}`;
    const credentials = await credentialsOf({ headers: [{ origin, name: 'Authorization', value: 'me' }] });
    try {
      await fetcher.fetch(`${origin}/away`, { credentials });
      // What is remembered is remembered for those who sent the same.
      await fetcher.fetch(`${origin}/`, { credentials });
      await fetcher.fetch(`${origin}/`);
      await fetcher.fetch(`${origin}/`, { credentials });
    } finally {
      server.close();
    }
    expect(seen).toEqual(['me', undefined, 'me', undefined]);
  });
});

describe('fail_on (I-53)', () => {
  it.each([
    [['resources'], ['resources: a.png cannot be had', 'resources: b.png cannot be had']],
    [['http'], ['http: b.png is answered with 404']],
    [
      ['http', 'resources'],
      ['resources: a.png cannot be had', 'http: b.png is answered with 404'],
    ],
    [['console'], ['console: oh']],
  ] as const)('%j reports each fault of its kind once', (failOn, messages) => {
    const faults = new DocumentFaults(failOn);
    for (let times = 0; times < 2; times += 1) {
      faults.observer?.failed('a.png', null);
      faults.observer?.failed('b.png', 404);
      faults.observer?.message?.('oh');
    }
    expect(() => faults.check()).toThrow(
      expect.objectContaining({
        code: 'document_faulty',
        faults: messages.map((message) => ({ field: 'render_options.fail_on', message })),
      }),
    );
  });

  it('records no messages if none are asked for', () => {
    expect(new DocumentFaults([]).observer).toBeNull();
    expect(new DocumentFaults(['http']).observer?.message).toBeNull();
  });
});

describe('options that WebKit cannot do or formats cannot hold', () => {
  it.each([
    [{ rendering_engine: 'webkit', javascript: false }, 'pdf', 'javascript'],
    [{ rendering_engine: 'webkit', wait_for: { milliseconds: 1 } }, 'pdf', 'wait_for'],
    [{ rendering_engine: 'webkit', fail_on: ['console'] }, 'pdf', 'fail_on'],
    [{ rendering_engine: 'webkit' }, 'png', 'rendering_engine'],
    [{ full_page: false }, 'pdf', 'full_page'],
    [{ transparent: true }, 'jpeg', 'transparent'],
    [{ quality: 50 }, 'png', 'quality'],
    [{ paper_height: 'content' }, 'docx', 'paper_height'],
    [{ first_page_number: 2 }, 'odt', 'first_page_number'],
  ] as const)('%j is refused for %s by name', (options, output, option) => {
    expect(() => requestedSettings(options as object, { source: 'html', output })).toThrow(
      expect.objectContaining({
        code: 'option_not_supported',
        faults: [expect.objectContaining({ field: `render_options.${option}` })],
      }),
    );
  });

  it('leaves the settings of the browser unset if all options have their defaults', () => {
    const { page, picture } = requestedSettings({ javascript: true }, { source: 'html', output: 'pdf' });
    expect([page.browser, picture]).toEqual([null, null]);
  });
});

describe('headers by page as they are given (I-50)', () => {
  it('are one text, an object, or an object as JSON, with base64 in it', () => {
    const texts = (given: Parameters<typeof furnitureTexts>[0]): unknown =>
      furnitureTexts(given, 'header_data');
    expect(texts('{{ name }}')).toEqual([{ pages: 'default', text: '{{ name }}' }]);
    expect(texts('{ "half" ')).toEqual([{ pages: 'default', text: '{ "half" ' }]);
    const both = [
      { pages: 'first', text: '<b>é</b>' },
      { pages: 'default', text: '' },
    ];
    expect(texts({ first: Buffer.from('<b>é</b>').toString('base64'), default: null })).toEqual(both);
    expect(texts(' {"first": "<b>é</b>", "default": ""}')).toEqual(both);
    for (const wrong of ['{"frist":"x"}', '{"3-2":"x"}', '{"first":["x"]}', '{"a":1}'])
      expect(() => texts(wrong), wrong).toThrow(expect.objectContaining({ code: 'invalid_field' }));
  });

  it('pages by themselves come before ranges, as JSON has them', () => {
    const entries = Object.keys({ '2-4': '', '3': '' }).map((pages) => ({ pages }));
    expect(entryPicker(entries)(3, 9)?.pages).toBe('3');
    expect(entryPicker([{ pages: '4-' }, { pages: 'even' }])(10_000, 10_000)?.pages).toBe('4-');
    expect(entryPicker([{ pages: 'last' }, { pages: 'first' }])(1, 1)?.pages).toBe('first');
  });
});

describe('markdown (I-53)', () => {
  const TEXT = `---
title: A & B
language: de_AT
paper_format: A5
margin_lft: 3
---
# Head

| a | b |
| - | - |
| 1 | ~~2~~ |

Text[^1] with <b>html</b>, ![logo](data:image/svg+xml;base64,AA==).

[^1]: The note.

\`\`\`js
const a = "b";
\`\`\`
`;

  it('has tables, footnotes, html, coloured code, and the settings of the front matter', async () => {
    const html = await htmlOfMarkdown(TEXT);
    expect(html).toContain('<html lang="de-AT"><head><meta charset="utf-8"><title>A &#38; B</title>');
    for (const part of ['<td>1</td>', '<s>2</s>', '<b>html</b>', 'The note.', 'src="data:image/svg'])
      expect(html).toContain(part);
    expect(html).toMatch(/<span class="hljs-keyword">const<\/span> a = <span class="hljs-string">/);
    expect(html).not.toContain('paper_format');
    expect(await htmlOfMarkdown('---\nno end')).toContain('<hr>');
  });

  it('has ids at its headings, to which links lead as on GitHub', async () => {
    const html = await htmlOfMarkdown(
      '# Größe *and* `code`!\n\n## A & B_c\n\n## A & B_c\n\n#\n\n[a](#größe-and-code)',
    );
    expect(html.match(/<h\d.*/g)).toEqual([
      '<h1 id="größe-and-code">Größe <em>and</em> <code>code</code>!</h1>',
      '<h2 id="a--b_c">A &amp; B_c</h2>',
      '<h2 id="a--b_c-1">A &amp; B_c</h2>',
      '<h1></h1>',
    ]);
  });

  it('has options in its front matter, which are judged as others are', async () => {
    const warnings: string[] = [];
    expect(await frontMatterOptions(TEXT, warnings)).toEqual({ paper_format: 'A5' });
    expect(warnings).toEqual([expect.stringMatching(/front_matter\.margin_lft.*margin_left/)]);
    for (const [wrong, code] of [
      ['scale: 9', 'invalid_field'],
      ['a: [', 'template_file_invalid'],
      ['- a', 'template_file_invalid'],
    ] as const) {
      await expect(frontMatterOptions(`---\n${wrong}\n---\n`, [])).rejects.toMatchObject({ code });
    }
  });
});
