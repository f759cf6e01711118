import { CATALOG, drawing, onePage, PAGE, pdf, times, TREE } from './build.ts';

/** Page trees, and the boxes and units of pages. */

/** Returns a page with those entries instead of its size, and a drawing on it. */
function sized(entries: string, ...others: string[]): Buffer {
  return pdf([CATALOG, TREE, `<< /Type /Page /Parent 2 0 R ${entries} >>`, ...others]);
}

export const PAGES: Readonly<Record<string, () => Buffer>> = {
  'page tree that shares its branches, 30 levels': () =>
    pdf([
      CATALOG,
      ...times(30, (n) => `<< /Type /Pages /Count ${2 ** (30 - n)} /Kids [${n + 3} 0 R ${n + 3} 0 R] >>`),
      '<< /Type /Page /MediaBox [0 0 10 10] >>',
    ]),
  'the same without counts': () =>
    pdf([
      CATALOG,
      ...times(30, (n) => `<< /Type /Pages /Kids [${n + 3} 0 R ${n + 3} 0 R] >>`),
      '<< /Type /Page /MediaBox [0 0 10 10] >>',
    ]),
  'page tree in circles': () =>
    pdf([CATALOG, '<< /Type /Pages /Count 2 /Kids [3 0 R 2 0 R] >>', `<< ${PAGE} >>`]),
  'page tree 100,000 levels deep': () =>
    pdf([
      CATALOG,
      ...times(100_000, (n) => `<< /Type /Pages /Count 1 /Kids [${n + 3} 0 R] /Parent ${n + 1} 0 R >>`),
      '<< /Type /Page /MediaBox [0 0 10 10] >>',
    ]),
  'counts that lie': () =>
    pdf([CATALOG, '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>', `<< ${PAGE} >>`]),
  'a page 300,000 times': () =>
    pdf([CATALOG, `<< /Type /Pages /Count 300000 /Kids [${'3 0 R '.repeat(300_000)}] >>`, `<< ${PAGE} >>`]),
  '100,000 pages': () =>
    pdf([
      CATALOG,
      `<< /Type /Pages /Count 100000 /Kids [${times(100_000, (n) => `${n + 3} 0 R`).join(' ')}] >>`,
      ...times(100_000, () => `<< ${PAGE} >>`),
    ]),
  'page of a million inches': () =>
    pdf([CATALOG, TREE, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72000000 72000000] >>']),
  'a page that is its own parent': () => pdf([CATALOG, TREE, '<< /Type /Page /Parent 3 0 R >>']),
  'kids that are an endless reference': () =>
    pdf([CATALOG, '<< /Type /Pages /Count 1 /Kids 3 0 R >>', '3 0 R']),
  'kids that are the root': () =>
    pdf([CATALOG, '<< /Type /Pages /Count 9 /Kids [1 0 R 2 0 R null 99 0 R 7 (x)] >>']),
  'a negative count': () => pdf([CATALOG, '<< /Type /Pages /Count -5 /Kids [3 0 R] >>', `<< ${PAGE} >>`]),
  ...Object.fromEntries(
    [
      '[0 0 0 0]', '[0 0 0 200]', '[200 200 0 0]', '[-200 -200 -100 -100]', '[NaN NaN NaN NaN]', '[0 0 1e400 1e400]',
      '[0 0 99999999999999999999 99999999999999999999]', '[0 0 2147483647 2147483647]', '[-2147483648 0 2147483647 10]',
      '[0 0 0.000001 0.000001]', '[0 0 200]', '[(a) (b) /c null]', '[]', '4 0 R', '[4 0 R 4 0 R 4 0 R 4 0 R]', 'null',
      '[0 0 1000000 0.001]', '[[0 0 1 1]]', '<< /A 1 >>',
    ].map((box) => [`media box ${box}`, () => sized(`/MediaBox ${box}`, '4 0 R')]), // prettier-ignore
  ),
  'crop box outside of the media box': () => sized('/MediaBox [0 0 200 200] /CropBox [1000 1000 2000 2000]'),
  'crop box of a million inches': () => sized('/MediaBox [0 0 200 200] /CropBox [-72000000 0 72000000 9]'),
  ...Object.fromEntries(
    ['0', '-1', '1000000', '1e400', '0.0000001', 'NaN', '4 0 R', '(x)'].map((unit) => [
      `user unit ${unit}`,
      () => sized(`/MediaBox [0 0 200 200] /UserUnit ${unit}`, '4 0 R'),
    ]),
  ),
  ...Object.fromEntries(
    ['45', '-90', '99999999990', '1e400', '4 0 R', '/x'].map((angle) => [
      `rotation ${angle}`,
      () => sized(`/MediaBox [0 0 200 100] /Rotate ${angle}`, '4 0 R'),
    ]),
  ),
  'resources that refer to themselves': () =>
    onePage('/Resources 4 0 R /Contents 5 0 R', '<< /XObject 4 0 R /Font 4 0 R /X 4 0 R >>', '5 0 R'),
  'contents that are an endless list': () => onePage('/Contents 4 0 R', '[4 0 R 4 0 R]'),
  'contents of a million parts': () =>
    onePage(`/Contents [${'4 0 R '.repeat(1_000_000)}]`, '<< /Length 3 >>\nstream\nq Q\nendstream'),
  'a graphics state that contains itself': () =>
    drawing(
      '/ExtGState << /G 5 0 R >>',
      '/G gs 0 0 9 9 re f',
      '<< /SMask << /S /Alpha /G 6 0 R >> /G 5 0 R >>',
      '6 0 R',
    ),
};
