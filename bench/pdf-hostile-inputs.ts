import { deflateSync } from 'node:zlib';

/** Small PDFs that are expensive to process: each has one excessive value, in a page or in the objects above it. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const TREE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const PAGE = '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]';

/** Returns a PDF of objects from number 1 on, with a cross-reference table. */
function pdf(bodies: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const rows: string[] = [];
  let offset = 9;
  for (const [index, body] of bodies.entries()) {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    const [head, tail] = [Buffer.from(`${index + 1} 0 obj\n`), Buffer.from('\nendobj\n')];
    rows.push(`${String(offset).padStart(10, '0')} 00000 n \n`);
    parts.push(head, bytes, tail);
    offset += head.length + bytes.length + tail.length;
  }
  const size = bodies.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${end}`));
  return Buffer.concat(parts);
}

function stream(dictionary: string, data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Returns a document of one page with the objects that it refers to, from number 4 on. */
function onePage(entries: string, ...others: (string | Buffer)[]): Buffer {
  return pdf([CATALOG, TREE, `<< ${PAGE} ${entries} >>`, ...others]);
}

/** Returns a page that shows the object 5 as `/X`. */
function showing(object: Buffer, ...others: (string | Buffer)[]): Buffer {
  const content = stream('', 'q 200 0 0 200 0 0 cm /X Do Q');
  return onePage('/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>', content, object, ...others);
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns zeros, compressed with Deflate several times. */
function zeros(bytes: number, layers: number): Buffer {
  let data: Buffer = Buffer.alloc(bytes, 0x20);
  for (let layer = 0; layer < layers; layer++) data = deflateSync(data, { level: 9 });
  return data;
}

function filters(count: number): string {
  return `/Filter [${'/FlateDecode '.repeat(count)}]`;
}

const IMAGE = '/Type /XObject /Subtype /Image /BitsPerComponent 8';

/** Returns the beginning of a JPEG 2000 codestream: size and coding of the image, without any tile. */
function jpeg2000(width: number, height: number): Buffer {
  const sizes = Buffer.alloc(32);
  for (const [index, value] of [width, height, 0, 0, width, height, 0, 0].entries()) {
    sizes.writeUInt32BE(value, index * 4);
  }
  const siz = Buffer.concat([
    Buffer.from('ff4fff51002f0000', 'hex'),
    sizes,
    Buffer.from('0003070101070101070101', 'hex'),
  ]);
  const rest =
    'ff52000c00000001000504040001' +
    'ff5c001340404848504848504848504848504848504848' +
    'ff90000a0000000000000001ff93ffd9';
  return Buffer.concat([siz, Buffer.from(rest, 'hex')]);
}

/** Returns a JBIG2 page of that size, and its end. */
function jbig2(width: number, height: number): Buffer {
  const page = Buffer.alloc(19);
  page.writeUInt32BE(width, 0);
  page.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('000000003000010000001300', 'hex').subarray(0, 11), page]);
}

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 200 200]';

/** The documents by their fault. */
export const HOSTILE: Readonly<Record<string, () => Buffer>> = {
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
  'content deflated twice, 500 MB': () => onePage('/Contents 4 0 R', stream(filters(2), zeros(500e6, 2))),
  'content deflated once, 1 GB': () => onePage('/Contents 4 0 R', stream(filters(1), zeros(1e9, 1))),
  'content deflated ten times': () => onePage('/Contents 4 0 R', stream(filters(10), zeros(200e6, 10))),
  'predictor with two thousand million columns': () =>
    onePage(
      '/Contents 4 0 R',
      stream(
        '/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 /Colors 4 /BitsPerComponent 16 >>',
        zeros(1e6, 1),
      ),
    ),
  'length of two thousand million': () =>
    onePage('/Contents 4 0 R', '<< /Length 2000000000 >>\nstream\nq Q\nendstream'),
  'picture of 100,000 x 100,000': () =>
    showing(
      stream(`${IMAGE} /Width 100000 /Height 100000 /ColorSpace /DeviceRGB ${filters(1)}`, zeros(1e7, 1)),
    ),
  'picture of 16,000 x 16,000, all there': () =>
    showing(
      stream(`${IMAGE} /Width 16000 /Height 16000 /ColorSpace /DeviceRGB ${filters(1)}`, zeros(768e6, 1)),
    ),
  'JPEG 2000 of 100,000 x 100,000': () =>
    showing(
      stream(
        `${IMAGE} /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /Filter /JPXDecode`,
        jpeg2000(100_000, 100_000),
      ),
    ),
  'JBIG2 of 65,000 x 65,000': () =>
    showing(
      stream(
        '/Type /XObject /Subtype /Image /BitsPerComponent 1 /Width 65000 /Height 65000 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
        jbig2(65_000, 65_000),
      ),
    ),
  'object stream within itself': () =>
    onePage('/Contents 4 0 R', stream('/Type /ObjStm /N 1 /First 4 /Extends 4 0 R', '4 0 << /A 4 0 R >>')),
  'page of a million inches': () =>
    pdf([CATALOG, TREE, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72000000 72000000] >>']),
  'tiling pattern with the smallest of steps': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Pattern << /P 5 0 R >> >>',
      stream('', '/Pattern cs /P scn 0 0 200 200 re f'),
      stream(
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>',
        '0 0 1 1 re f',
      ),
    ),
  'shading by a program of a million steps': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Shading << /S 5 0 R >> >>',
      stream('', '200 0 0 200 0 0 cm /S sh'),
      '<< /ShadingType 1 /ColorSpace /DeviceGray /Function 6 0 R >>',
      stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]', `{ ${'add dup '.repeat(500_000)} }`),
    ),
  'glyph that shows itself': () =>
    onePage(
      '/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >>',
      stream('', `BT /F 12 Tf (${'a'.repeat(1000)}) Tj ET`),
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F 5 0 R >> >> >>',
      stream('', `1 0 d0 BT /F 1 Tf (${'a'.repeat(100)}) Tj ET`),
    ),
  'form that shows itself': () =>
    showing(stream(`${FORM} /Resources << /XObject << /X 5 0 R >> >>`, '/X Do /X Do')),
  'forms that show forms, ten each, twelve levels': () =>
    showing(
      ...(times(12, (n) =>
        stream(`${FORM} /Resources << /XObject << /X ${n + 6} 0 R >> >>`, '/X Do '.repeat(10)),
      ) as [Buffer, ...Buffer[]]),
      stream(FORM, '0 0 1 1 re f'),
    ),
  'a million annotations': () =>
    onePage(
      `/Annots [${'4 0 R '.repeat(1_000_000)}]`,
      '<< /Type /Annot /Subtype /Square /Rect [0 0 10 10] /C [1 0 0] >>',
    ),
  '200,000 annotations, each its own': () =>
    pdf([
      CATALOG,
      TREE,
      `<< ${PAGE} /Annots [${times(200_000, (n) => `${n + 4} 0 R`).join(' ')}] >>`,
      ...times(200_000, () => '<< /Type /Annot /Subtype /Square /Rect [0 0 10 10] /C [1 0 0] >>'),
    ]),
  'outline 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      '<< /First 5 0 R /Last 5 0 R >>',
      ...times(
        100_000,
        (n) =>
          `<< /Title (a) /Parent ${n + 4} 0 R /First ${n + 6} 0 R /Last ${n + 6} 0 R /Dest [3 0 R /Fit] >>`,
      ),
      'null',
    ]),
  'name tree 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Names << /Dests 4 0 R /EmbeddedFiles 4 0 R >> >>',
      TREE,
      `<< ${PAGE} >>`,
      ...times(100_000, (n) => `<< /Kids [${n + 5} 0 R] /Limits [(a) (b)] >>`),
      '<< /Names [(a) [3 0 R /Fit]] /Limits [(a) (b)] >>',
    ]),
  'structure tree 100,000 levels deep': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
      TREE,
      `<< ${PAGE} /StructParents 0 >>`,
      '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 [100004 0 R]] >> >>',
      ...times(
        100_000,
        (n) =>
          `<< /Type /StructElem /S /P /P ${n + 4} 0 R /K ${n === 99_999 ? '0' : `${n + 6} 0 R`} /Pg 3 0 R >>`,
      ),
    ]),
  'structure of 32,768 elements on a page': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> >>',
      TREE,
      `<< ${PAGE} /StructParents 0 >>`,
      '<< /Type /StructTreeRoot /K 5 0 R /ParentTree << /Nums [0 6 0 R] >> >>',
      `<< /Type /StructElem /S /Document /P 4 0 R /K [${times(32_768, (n) => `${n + 7} 0 R`).join(' ')}] >>`,
      `[${times(32_768, (n) => `${n + 7} 0 R`).join(' ')}]`,
      ...times(32_768, (n) => `<< /Type /StructElem /S /P /P 5 0 R /Pg 3 0 R /K ${n} >>`),
    ]),
  'array nested 100,000 levels': () =>
    pdf([
      `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(100_000)}${']'.repeat(100_000)} >>`,
      TREE,
      `<< ${PAGE} >>`,
    ]),
  'XMP of entities that grow': () => {
    const entities = times(12, (n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
    const xmp = `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${entities}]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">&e12;</rdf:Description></rdf:RDF></x:xmpmeta>`;
    return pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream('/Type /Metadata /Subtype /XML', xmp),
    ]);
  },
  'XMP 100,000 levels deep': () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="">${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</rdf:Description></rdf:RDF></x:xmpmeta>`;
    return pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream('/Type /Metadata /Subtype /XML', xmp),
    ]);
  },
  'XMP deflated, 1 GB': () =>
    pdf([
      '<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>',
      TREE,
      `<< ${PAGE} >>`,
      stream(`/Type /Metadata /Subtype /XML ${filters(1)}`, zeros(1e9, 1)),
    ]),
  'cross-references of two thousand million objects': () => {
    const bodies = [CATALOG, TREE, `<< ${PAGE} >>`];
    return Buffer.from(
      pdf(bodies)
        .toString('latin1')
        .replace('0 4\n', '0 2000000000\n')
        .replace('/Size 4', '/Size 2000000000'),
      'latin1',
    );
  },
  'cross-references that lead to themselves': () => {
    const text = pdf([CATALOG, TREE, `<< ${PAGE} >>`]).toString('latin1');
    return Buffer.from(text.replace('/Size 4', `/Size 4 /Prev ${text.lastIndexOf('xref\n0')}`), 'latin1');
  },
  'no end, and a hundred thousand streams without one': () =>
    Buffer.from(`%PDF-1.7\n${times(100_000, (n) => `${n + 1} 0 obj\n<< /Length 9 >>\nstream\n`).join('')}`),
};
