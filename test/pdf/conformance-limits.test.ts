import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { openPdf, type PdfFile } from '../../packages/pdf/src/model/index.ts';
import { rawPdf, rawStream, workspace } from './fixtures.ts';

/** What PDF/A forbids, or has no room for: repaired where a page looks the same, else named (ISO 19005-2 and -3). */

interface Parts {
  catalog?: string;
  tree?: string;
  page?: string;
  content?: string;
  more?: string[];
}

/** A document of one page. */
function onePage({ catalog = '', tree = '', page = '', content = '', more = [] }: Parts): Buffer {
  const box = page.includes('/MediaBox') ? '' : '/MediaBox [0 0 99 99]';
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 ${tree} >>`,
    `<< /Type /Page /Parent 2 0 R ${box} /Contents 4 0 R ${page} >>`,
    rawStream('', content),
    ...more,
  ];
  return readFileSync(rawPdf(workspace()('page.pdf'), objects));
}

async function rulesOf(parts: Parts): Promise<string[]> {
  const { violations } = await conform(onePage(parts), { levels: ['pdf/a-3b'], onViolation: 'warn' });
  return violations.map(({ rule }) => rule.replace('ISO 19005-3, ', ''));
}

async function repaired(parts: Parts): Promise<PdfFile> {
  return await openPdf((await conform(onePage(parts), { levels: ['pdf/a-3b'] })).pdf);
}

const long = 'x'.repeat(140);
const resources = (inner: string): string => `/Resources << ${inner} >>`;
const state = (inner: string): string => resources(`/ExtGState << /G << ${inner} >> >>`);
const shown = resources('/XObject << /X 5 0 R >>');

it.each<[string, string, Parts]>([
  ['a page that is too small', '6.1.13', { page: '/MediaBox [0 0 2 99]' }],
  ['a page that is too large', '6.1.13', { page: '/MediaBox [0 0 99 14401]' }],
  ['a boundary that is too small', '6.1.13', { page: '/TrimBox [0 0 99 2]' }],
  ['a boundary without four numbers', '6.1.13', { page: '/TrimBox [0 0 99]' }],
  ['a boundary with a name in it', '6.1.13', { page: '/CropBox [0 0 99 /A]' }],
  ['a string that is too long', '6.1.13', { page: `/PieceInfo << /A (${'x'.repeat(32_768)}) >>` }],
  ['a name that is too long', '6.1.13', { page: `/PieceInfo << /A /${long} >>` }],
  ['a key that is too long', '6.1.13', { page: `/PieceInfo << /${long} 1 >>` }],
  ['a number that is too large', '6.1.13', { page: '/PieceInfo << /A [2147483648] >>' }],
  ['29 states within one another', '6.1.13', { content: `${'q '.repeat(29)}${'Q '.repeat(29)}` }],
  [
    '33 inks',
    '6.1.13',
    {
      page: resources(`/ColorSpace << /C [/DeviceN [${'/None '.repeat(33)}] /DeviceRGB << >>] >>`),
      content: '/C cs',
    },
  ],
  ['a number in the content that is too large', '6.2.2', { content: '2147483648 w' }],
  [
    'an ink without a look',
    '6.2.4.4',
    { page: resources('/ColorSpace << /C [/DeviceN [/Gold] /DeviceRGB << >>] >>'), content: '/C cs' },
  ],
  ['a way to mix colours that there is not', '6.2.10', { page: state('/Type /ExtGState /BM [/Foo]') }],
  ['a way to show colours that there is not', '6.2.6', { content: '/Foo ri' }],
  [
    'three bits per channel',
    '6.2.8',
    { page: shown, more: [rawStream('/Subtype /Image /BitsPerComponent 3', 'x')] },
  ],
  ['a program in PostScript', '6.2.9', { page: shown, more: [rawStream('/Subtype /PS', 'x')] }],
  ['a picture in the content by LZW', '6.1.10', { content: 'BI /W 1 /H 1 /BPC 8 /CS /G /F [/LZW] ID x EI' }],
  [
    'a picture in the content that is smoothed',
    '6.2.8',
    { content: 'BI /W 1 /H 1 /BPC 8 /CS /G /I true ID x EI' },
  ],
  [
    'a picture in the content of a device',
    '6.2.4.3',
    {
      catalog: '/OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile << /N 3 >> >>]',
      content: 'BI /W 1 /H 1 /BPC 8 /CS /CMYK ID x EI',
    },
  ],
])('names %s (ISO 19005-2, %s)', async (_, rule, parts) => {
  expect(await rulesOf(parts)).toEqual([rule]);
});

it('accepts values within the limits', async () => {
  const parts: Parts = {
    page: `/TrimBox [0 0 3 3] /MediaBox [0 0 99 14400] ${resources(
      `/ExtGState << /G << /Type /ExtGState /BM [/Screen /Normal] /RI /Perceptual >> >>
       /ColorSpace << /C [/DeviceN [/Gold /Cyan] /DeviceRGB << >> << /Colorants << /Gold 1 >> >>] >>`.replace(
        '/Foo ',
        '',
      ),
    )} /PieceInfo << /A (${'x'.repeat(32_767)}) /B /${'x'.repeat(127)} /C -2147483648 /D 3000000000.5 >>`,
    content: `/C cs /Saturation ri ${'q '.repeat(28)}${'Q '.repeat(28)}BI /W 1 /BPC 8 /CS /G /F /Fl ID x EI`,
  };
  expect(await rulesOf(parts)).toEqual([]);
});

it('copies inherited resources to pages and forms (ISO 19005-2, 6.2.2)', async () => {
  const state = '/ExtGState << /G << /Type /ExtGState /ca 1 >> >>';
  const file = await repaired({
    tree: resources(`${state} /XObject << /X 5 0 R >>`),
    content: '/G gs /X Do',
    more: [rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '/G gs 0 0 9 9 re f')],
  });
  const own = file.dict(file.dict(file.pages()[0])['/Resources']);
  const form = file.dict(file.dict(own['/XObject'])['/X']);
  for (const found of [own, file.dict(form['/Resources'])])
    expect(Object.keys(file.dict(found['/ExtGState']))).toEqual(['/G']);
});

it('removes actions, steps, halftones and metadata that PDF/A forbids (6.2.5, 6.5.1, 6.6.2, 6.10)', async () => {
  const file = await repaired({
    catalog: '/OpenAction << /S /Foo >>',
    page: `/PresSteps << >> /Metadata 5 0 R ${state('/HT << /HalftoneType 6 >> /RI /Foo')}`,
    more: [rawStream('/Type /Metadata /Subtype /XML', '<oops')],
  });
  expect(Object.keys(file.catalog)).not.toContain('/OpenAction');
  expect(file.catalog['/Metadata']).toBeDefined();
  const page = file.dict(file.pages()[0]);
  expect(Object.keys(page)).not.toContain('/PresSteps');
  expect(Object.keys(page)).not.toContain('/Metadata');
  expect(file.dict(file.dict(file.dict(page['/Resources'])['/ExtGState'])['/G'])).toEqual({});
  const kept = await repaired({ catalog: '/OpenAction << /S /URI /URI (https://a.example) >>' });
  expect(kept.catalog['/OpenAction']).toMatchObject({ '/S': '/URI' });
});

it('names each way to show layers, and lists all layers in it (ISO 19005-2, 6.9)', async () => {
  const file = await repaired({
    catalog: `/OCProperties << /OCGs [5 0 R 6 0 R] /D << /Name (a) /Order [[5 0 R]] >>
      /Configs [<< /Name (a) >> << /Name (Configuration 2) >>] >>`,
    more: ['<< /Type /OCG /Name (x) >>', '<< /Type /OCG /Name (y) >>'],
  });
  const layers = file.dict(file.catalog['/OCProperties']);
  const [first, second] = file.array(layers['/OCGs']);
  expect(layers['/D']).toMatchObject({ '/Name': 'u:a', '/Order': [[first], second] });
  const names = file.array(layers['/Configs']).map((entry) => file.dict(entry)['/Name']);
  expect(names).toEqual(['u:Configuration 1', 'u:Configuration 2']);
});
