import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { partText, png, unzip } from './build.ts';
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
