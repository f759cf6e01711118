import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { partText, png, unzip } from './build.ts';
import { fill, paragraphs, part, rows } from './fill.ts';
import { odf, odfTable, page, tp } from './odf.ts';

/** OpenDocument: the same dialect as in Word. */

const CONTENT = 'content.xml';

describe('text documents', () => {
  const fillOdt = async (body: string, data: unknown, header = '') =>
    await fill(await odf('odt', body, { header }), data, { format: 'odt', images: { logo: png(96, 48) } });

  it('are filled, in spans, headers, lists and tables', async () => {
    const body =
      tp('Dear {{ na', 'me', ' }}!') +
      tp('{% if vip %}') +
      tp('You are a VIP.') +
      tp('{% endif %}') +
      `<text:list><text:list-item>${tp('{% for x in xs %}')}</text:list-item><text:list-item>${tp('{{ x }}')}</text:list-item><text:list-item>${tp('{% endfor %}')}</text:list-item></text:list>` +
      odfTable(['{%tr for x in xs %}', ''], ['{{ x }}', '{{ loop.index }}'], ['{%tr endfor %}', '']);
    const filled = await fillOdt(body, { name: '<A&B>', vip: true, xs: ['p', 'q'] }, tp('{{ name }}'));
    expect(await paragraphs(filled, CONTENT)).toEqual([
      'Dear <A&B>!',
      'You are a VIP.',
      'p',
      'q',
      'p',
      '1',
      'q',
      '2',
    ]);
    expect(await paragraphs(filled, 'styles.xml')).toEqual(['<A&B>']);
    expect(await rows(filled, CONTENT)).toEqual([
      ['p', '1'],
      ['q', '2'],
    ]);
  });

  it('have one list of the items that a loop around a list repeats', async () => {
    const list = `<text:list text:style-name="L"><text:list-item>${tp('{{ x }}')}</text:list-item></text:list>`;
    const other = list.replace('{{ x }}', 'another');
    const body = `${tp('{% for x in xs %}')}${list}${tp('{% endfor %}')}${other}`;
    const root = await part(
      await fill(await odf('odt', body), { xs: [1, 2, 3] }, { format: 'odt' }),
      'content.xml',
    );
    expect(all(root, 'text:list').map((one) => one.textContent())).toEqual(['123', 'another']);
    expect(all(root, 'text:list-item')).toHaveLength(4);
  });

  it('keep spaces, breaks and tabs of values', async () => {
    const filled = await fillOdt(tp('[{{ v }}]'), { v: '  a   b\nc\td' });
    expect(await paragraphs(filled, CONTENT)).toEqual(['[  a   b\nc\td]']);
    expect(await partText(filled, CONTENT)).toContain('[ <text:s/>a <text:s text:c="2"/>b');
  });

  it('fold the white space of a template as every program does, and only that', async () => {
    const body = `<text:p>\n    Dear <text:span>\t{{ v }}  </text:span>  and\n  <text:span> you<text:s text:c="3"/> there</text:span><text:line-break/> you<draw:frame>\n <draw:text-box>\n</draw:text-box>\n</draw:frame>\n</text:p>`;
    const filled = await fillOdt(body, { v: ' x ' });
    expect(await paragraphs(filled, CONTENT)).toEqual(['Dear  x  and you    there\n you\n \n\n ']);
  });

  it('begin a page at a form feed', async () => {
    const filled = await fillOdt(tp('{{ v }}'), { v: 'a\fb' });
    expect(await paragraphs(filled, CONTENT)).toEqual(['a', 'b']);
    expect(await partText(filled, CONTENT)).toContain('fo:break-before="page"');
  });

  it('show rich text with styles of its own', async () => {
    const filled = await fillOdt('<text:p><text:span>{{r v }}</text:span></text:p>', {
      v: [
        'plain ',
        { text: 'bold', bold: true, color: '#ff0000' },
        { text: 'link', url: 'https://example.org/?a=1&b=2' },
      ],
    });
    const xml = await partText(filled, CONTENT);
    expect(await paragraphs(filled, CONTENT)).toEqual(['plain boldlink']);
    expect(xml).toMatch(/fo:font-weight="bold" fo:color="#ff0000"|fo:color="#FF0000"/);
    expect(xml).toContain('xlink:href="https://example.org/?a=1&amp;b=2"');
  });

  it('hold pictures, named in the manifest, with mimetype first and stored', async () => {
    const filled = await fillOdt(tp('<image src="{{', 'logo', '}}" width="5">'), {});
    const root = await part(filled, CONTENT);
    const [frame] = all(root, 'draw:frame');
    expect([frame?.get('svg:width'), frame?.get('svg:height')]).toEqual(['5.000cm', '2.500cm']);
    const href = all(root, 'draw:image')[0]?.get('xlink:href') ?? '';
    expect((await unzip(filled)).has(href)).toBe(true);
    expect(await partText(filled, 'META-INF/manifest.xml')).toContain(`manifest:full-path="${href}"`);
    expect(Buffer.from(filled).toString('latin1', 30, 38 + 39)).toBe(
      'mimetypeapplication/vnd.oasis.opendocument.text',
    );
  });
});

describe('presentations', () => {
  const fillOdp = async (body: string, data: unknown) =>
    await fill(await odf('odp', body), data, { format: 'odp', images: { logo: png(96, 48) } });

  it('repeat a slide for each element', async () => {
    const body =
      page('a', 'start') + page('b', '{%slide for x in xs %}', '{{ x }} {{ loop.index }}') + page('c', 'end');
    const filled = await fillOdp(body, { xs: ['p', 'q'] });
    expect(await paragraphs(filled, CONTENT)).toEqual(['start', 'p 1', 'q 2', 'end']);
    const names = all(await part(filled, CONTENT), 'draw:page').map((one) => one.get('draw:name'));
    expect(new Set(names).size).toBe(4);
  });

  it('are filled though the name of a page repeats the tags of its title, as Impress names it', async () => {
    const title = '{%slide for x in xs %}Item {{ x }}';
    const half = '{% if xs %}Items';
    const body = page(title, title) + page(half, `${half}{% endif %}`);
    const root = await part(
      await fill(await odf('odp', body), { xs: [1, 2] }, { format: 'odp' }),
      'content.xml',
    );
    expect(all(root, 'draw:page').map((one) => one.get('draw:name'))).toEqual([
      'Item 1',
      'Item 2',
      undefined,
    ]);
  });

  it('repeat the slides between slides that contain only tags', async () => {
    const body =
      page('a', '{% for x in xs %}') + page('b', '{{ x }}') + page('c', 'x') + page('d', '{% endfor %}');
    expect(await paragraphs(await fillOdp(body, { xs: [1, 2] }), CONTENT)).toEqual(['1', 'x', '2', 'x']);
  });

  it('repeat rows of tables, and show pictures where their box was', async () => {
    const body = page(
      'a',
      odfTable(['{% for x in xs %}', ''], ['{{ x }}', 'z'], ['{% endfor %}', '']),
      '<image src="{{logo}}">',
    );
    const filled = await fillOdp(body, { xs: [1, 2] });
    expect(await rows(filled, CONTENT)).toEqual([
      ['1', 'z'],
      ['2', 'z'],
    ]);
    const frame = all(await part(filled, CONTENT), 'draw:frame').find((one) => one.first('draw:image'));
    expect([frame?.get('svg:x'), frame?.get('svg:y'), frame?.get('svg:width')]).toEqual([
      '2.000cm',
      '6.000cm',
      '2.540cm',
    ]);
  });
});

describe('links between slides of OpenDocument', () => {
  const slide = (name: string, text: string, link: string): string =>
    `<draw:page draw:name="${name}" draw:master-page-name="Standard"><draw:frame svg:width="9cm" svg:height="2cm"><draw:text-box>${tp(text)}<text:p><text:a xlink:href="#${link}">go</text:a></text:p></draw:text-box></draw:frame><draw:frame draw:name="S-${name}"><office:event-listeners><presentation:event-listener presentation:action="show" xlink:href="#${link}"/></office:event-listeners></draw:frame></draw:page>`;
  const filled = async (body: string, data: unknown): Promise<{ links: string[]; warnings: string[] }> => {
    const warnings: string[] = [];
    const bytes = await fill(await odf('odp', body), data, {
      format: 'odp',
      warn: (text) => warnings.push(text),
    });
    const root = await part(bytes, 'content.xml');
    const pages = all(root, 'draw:page');
    const links = pages.flatMap((page, i) =>
      all(page, 'text:a', 'presentation:event-listener').map((link) => {
        const target = pages.findIndex((one) => `#${one.get('draw:name')}` === link.get('xlink:href'));
        return `${i + 1} to ${target + 1}`;
      }),
    );
    return { links: [...new Set(links)], warnings };
  };
  const numbered =
    slide('page1', 'Index', 'page3') +
    slide('page2', '{%slide for x in xs %}{{ x }}', 'Slide\u00a02') +
    slide('page3', 'End', 'page2');
  const named =
    slide('Index', 'Index', 'End') +
    slide('Item', '{%slide for x in xs %}{{ x }}', 'Item') +
    slide('End', 'End', 'Item');

  it.each([
    ['by their numbers', numbered],
    ['by their names', named],
  ])('lead to the slides that they meant, %s', async (_, body) => {
    expect(await filled(body, { xs: [1, 2, 3] })).toEqual({
      links: ['1 to 5', '2 to 2', '3 to 3', '4 to 4', '5 to 2'],
      warnings: [],
    });
    expect(await filled(body, { xs: [] })).toEqual({
      links: ['1 to 2'],
      warnings: ['Links to slides that were removed are gone: slide 2 of the template.'],
    });
  });
});
