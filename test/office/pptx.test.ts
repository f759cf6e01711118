import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { partText, png, unzip, zip } from './build.ts';
import { fill, paragraphs, part, rows } from './fill.ts';
import { ap, atable, pptx, type Slide } from './pptx.ts';

/** PowerPoint: the dialect of Word, and slides that repeat. */

async function filled(slides: readonly Slide[], data: unknown): Promise<Uint8Array> {
  return await fill(await pptx(slides), data, { format: 'pptx', images: { logo: png(96, 48) } });
}

/** Texts of the slides in the order in which they are shown. */
async function shown(bytes: Uint8Array): Promise<string[][]> {
  const relations = all(await part(bytes, 'ppt/_rels/presentation.xml.rels'), 'rel:Relationship');
  const ids = all(await part(bytes, 'ppt/presentation.xml'), 'p:sldId');
  expect(new Set(ids.map((id) => id.get('id'))).size).toBe(ids.length);
  const paths = ids.map(
    (id) => relations.find((one) => one.get('Id') === id.get('r:id'))?.get('Target') ?? '',
  );
  return await Promise.all(paths.map(async (path) => await paragraphs(bytes, `ppt/${path}`)));
}

describe('a slide', () => {
  it('is filled in text boxes, tables and notes', async () => {
    const slides = [
      {
        shapes: [
          ap('Hello {{ na', 'me }}'),
          ap('{% for x in xs %}') + ap('• {{ x }}') + ap('{% endfor %}'),
          atable(['{%tr for x in xs %}', ''], ['{{ x }}', '{{ loop.index }}'], ['{%tr endfor %}', '']),
        ],
        notes: 'note {{ name }}',
      },
    ];
    const bytes = await filled(slides, { name: '<A & B>', xs: ['a\nb', 'c'] });
    expect(await paragraphs(bytes, 'ppt/slides/slide1.xml')).toEqual([
      'Hello <A & B>',
      '• a\nb',
      '• c',
      'a\nb',
      '1',
      'c',
      '2',
    ]);
    expect(await rows(bytes, 'ppt/slides/slide1.xml')).toHaveLength(2);
    expect(await paragraphs(bytes, 'ppt/notesSlides/notesSlide1.xml')).toEqual(['note <A & B>']);
  });

  it('widens a table by a loop over columns, and merges and colours cells', async () => {
    const table = atable(
      ['{%tc for x in xs %}', '{{ x }}', '{%tc endfor %}'],
      ['{% colspan 3 %}w', '{% cellbg "00ff00" %}g'],
    );
    const bytes = await filled([{ shapes: [table] }], { xs: [1, 2, 3, 4] });
    const xml = await partText(bytes, 'ppt/slides/slide1.xml');
    expect(xml.match(/<a:gridCol/g)).toHaveLength(4);
    expect(xml).toContain('gridSpan="3"');
    expect(xml.match(/hMerge="1"/g)).toHaveLength(2);
    expect(xml).toContain('<a:tcPr><a:solidFill><a:srgbClr val="00FF00"/></a:solidFill></a:tcPr>');
  });

  it('shows a picture in the place of the box with its tag, and in a cell', async () => {
    const slides = [
      {
        shapes: [
          '<image src="{{logo}}">',
          atable(['a', '<image src="{{logo}}" width="1">']),
          'x <image src="{{logo}}">',
        ],
      },
    ];
    const bytes = await filled(slides, {});
    const root = await part(bytes, 'ppt/slides/slide1.xml');
    const pictures = all(root, 'p:pic');
    expect(pictures).toHaveLength(3);
    const place = all(pictures[0] ?? root, 'a:off', 'a:ext').map((one) =>
      one.attributes.map(({ value }) => value),
    );
    expect(place).toEqual([
      ['720000', '360000'],
      ['914400', '457200'],
    ]);
    expect(all(root, 'p:sp')).toHaveLength(1);
    const ids = all(root, 'p:cNvPr').map((one) => one.get('id'));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...(await unzip(bytes)).keys()].filter((path) => path.startsWith('ppt/media/'))).toHaveLength(1);
    expect(await partText(bytes, '[Content_Types].xml')).toContain('Extension="png" ContentType="image/png"');
  });
});

it('animations of a shape lead to the picture or table that takes its place, and have no paragraphs there', async () => {
  const template = new Map(
    await unzip(await pptx([{ shapes: ['<image src="{{logo}}">', '{{p t | html }}', 'stays'] }])),
  );
  const target = (id: number): string =>
    `<p:spTgt spid="${id}"><p:txEl><p:pRg st="0" end="0"/></p:txEl></p:spTgt>`;
  const slide = String(template.get('ppt/slides/slide1.xml')).replace(
    '</p:sld>',
    `<p:timing><p:tnLst>${[2, 3, 4].map(target).join('')}</p:tnLst><p:bldLst>${[2, 3, 4].map((id) => `<p:bldP spid="${id}" grpId="0" build="p"/>`).join('')}</p:bldLst></p:timing></p:sld>`,
  );
  template.set('ppt/slides/slide1.xml', Buffer.from(slide));
  const data = { t: '<table><tr><td>a</td></tr></table>' };
  const bytes = await fill(await zip(Object.fromEntries(template)), data, {
    format: 'pptx',
    images: { logo: png(96, 96) },
  });
  const root = await part(bytes, 'ppt/slides/slide1.xml');
  const tagOf = new Map(all(root, 'p:cNvPr').map((one) => [one.get('id'), one.parent?.parent?.tag]));
  expect(all(root, 'p:spTgt').map((one) => [tagOf.get(one.get('spid')), one.elements().length])).toEqual([
    ['p:pic', 0],
    ['p:graphicFrame', 0],
    ['p:sp', 1],
  ]);
  expect(all(root, 'p:bldP').map((one) => one.get('spid'))).toEqual(['4']);
});

describe('a loop over slides', () => {
  const xs = [
    { n: 'a', q: [1, 2] },
    { n: 'b', q: [3] },
  ];

  it('repeats the slide its tag is on, with its notes', async () => {
    const slides = [
      { shapes: ['start'] },
      {
        shapes: ['{%slide for x in xs %}', '{{ x.n }}', '{% for q in x.q %}{{ q }}{% endfor %}'],
        notes: 'N{{ x.n }}',
      },
      { shapes: ['end'] },
    ];
    const bytes = await filled(slides, { xs });
    expect(await shown(bytes)).toEqual([['start'], ['a', '12'], ['b', '3'], ['end']]);
    const names = [...(await unzip(bytes)).keys()];
    const notes = names.filter((path) => /^ppt\/notesSlides\/notesSlide\d+\.xml$/.test(path));
    const texts = await Promise.all(notes.map(async (path) => await paragraphs(bytes, path)));
    expect(texts.flat().toSorted()).toEqual(['Na', 'Nb']);
    const types = await partText(bytes, '[Content_Types].xml');
    for (const path of names.filter((one) => /^ppt\/(slides|notesSlides)\/[^_]+\.xml$/.test(one))) {
      expect(types).toContain(`PartName="/${path}"`);
    }
  });

  it('repeats all slides between slides that contain only its tags, in their order', async () => {
    const slides = [
      { shapes: ['{% for x in xs %}'] },
      { shapes: ['{{ x.n }}'] },
      { shapes: ['always'] },
      { shapes: ['{% endfor %}'] },
    ];
    expect(await shown(await filled(slides, { xs }))).toEqual([['a'], ['always'], ['b'], ['always']]);
  });

  it('removes a slide, with all parts that only it uses', async () => {
    const slides = [{ shapes: ['stays'] }, { shapes: ['{%slide if show %}', '{{ x }}'], notes: 'n {{ x }}' }];
    const bytes = await filled(slides, { show: false });
    expect(await shown(bytes)).toEqual([['stays']]);
    const names = [...(await unzip(bytes)).keys()];
    expect(names.filter((path) => path.includes('slide2') || path.includes('notesSlide'))).toEqual([]);
    expect(await partText(bytes, '[Content_Types].xml')).not.toContain('slide2.xml');
  });
});

describe('what refers to slides', () => {
  const LINK = '<a:hlinkClick r:id="rId7" action="ppaction://hlinksldjump"/>';
  const SECTIONS = `<p:custShowLst><p:custShow name="Short" id="0"><p:sldLst><p:sld r:id="rId3"/><p:sld r:id="rId4"/></p:sldLst></p:custShow><p:custShow name="One" id="1"><p:sldLst><p:sld r:id="rId4"/></p:sldLst></p:custShow></p:custShowLst><p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="Part {{ title }}" id="{1}"><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>`;

  async function presentation(): Promise<Buffer> {
    const template = await pptx([
      { shapes: ['Index', ap('to the end')] },
      { shapes: ['{%slide for x in xs %}{{ x }}'] },
      { shapes: ['{%slide if end %}End'] },
    ]);
    const parts = new Map(await unzip(template));
    const change = (path: string, from: string, to: string): void => {
      const text = parts.get(path)?.toString() ?? '';
      expect(text).toContain(from);
      parts.set(path, Buffer.from(text.replaceAll(from, to)));
    };
    change('ppt/slides/slide1.xml', '<a:rPr lang="en-GB"/>', `<a:rPr lang="en-GB">${LINK}</a:rPr>`);
    change('ppt/slides/slide1.xml', 'name="S0"/>', `name="S0">${LINK}</p:cNvPr>`);
    const relation = `<Relationship Id="rId7" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slide3.xml"/></Relationships>`;
    change('ppt/slides/_rels/slide1.xml.rels', '</Relationships>', relation);
    change('ppt/presentation.xml', '</p:presentation>', `${SECTIONS}</p:presentation>`);
    return await zip(Object.fromEntries(parts));
  }

  async function made(data: object): Promise<{ bytes: Uint8Array; warnings: string[] }> {
    const warnings: string[] = [];
    const warn = (text: string): unknown => warnings.push(text);
    const bytes = await fill(await presentation(), data, { format: 'pptx', warn });
    return { bytes, warnings };
  }

  it('that are removed goes with them, and a warning names them', async () => {
    const { bytes, warnings } = await made({ title: 'A & B', xs: [1, 2], end: false });
    const slide = await part(bytes, 'ppt/slides/slide1.xml');
    expect(all(slide, 'a:hlinkClick')).toEqual([]);
    expect(await partText(bytes, 'ppt/slides/_rels/slide1.xml.rels')).not.toContain('slide3.xml');
    const root = await part(bytes, 'ppt/presentation.xml');
    expect(all(root, 'p:custShow').map((show) => show.get('name'))).toEqual(['Short']);
    expect(warnings).toEqual(['Links to slides that were removed are gone: slide 3 of the template.']);
  });

  it('that stay or are repeated stays, and follows them', async () => {
    const { bytes, warnings } = await made({ title: 'A & B', xs: [1, 2], end: true });
    expect(all(await part(bytes, 'ppt/slides/slide1.xml'), 'a:hlinkClick')).toHaveLength(3);
    const root = await part(bytes, 'ppt/presentation.xml');
    const ids = all(root, 'p:sldId').map((slide) => slide.get('r:id'));
    const shows = all(root, 'p:custShow').map((show) => all(show, 'p:sld').map((one) => one.get('r:id')));
    expect(shows).toEqual([ids.slice(1), ids.slice(3)]);
    expect(all(root, 'p14:section').map((section) => section.get('name'))).toEqual(['Part A & B']);
    expect(warnings).toEqual([]);
  });
});

it('a table that a loop makes longer than its slide is named, with the first row that is cut off', async () => {
  const table = atable(['{%tr for x in xs %}'], ['{{ x }}'], ['{%tr endfor %}']);
  const warned = async (count: number): Promise<string[]> => {
    const warnings: string[] = [];
    const template = await pptx([{ shapes: ['a'] }, { shapes: [table] }]);
    const xs = Array.from({ length: count }, (_, i) => i);
    await fill(template, { xs }, { format: 'pptx', warn: (text) => warnings.push(text) });
    return warnings;
  };
  // The table begins at 1 cm, its rows have 1 cm, and the slide has 19.05 cm.
  expect(await warned(18)).toEqual([]);
  expect(await warned(30)).toEqual([
    'Tables are longer than their slide, and cut off: slide 2 from row 19 of 30.',
  ]);
});
