import { CATALOG, onePage, PAGE, pdf, stream, times, TREE, withCatalog } from './build.ts';

/** Cross-references, object streams, encryption, and the syntax of objects. */

const BODIES = [CATALOG, TREE, `<< ${PAGE} >>`];

/** Returns a document with that encryption dictionary. */
function locked(dictionary: string): Buffer {
  return pdf([...BODIES, dictionary], '/Encrypt 4 0 R /ID [<00> <00>]');
}

const O = `/O <${'00'.repeat(32)}>`;
const U = `/U <${'00'.repeat(32)}>`;
const CF = '/CF << /StdCF << /CFM /AESV3 /Length 32 >> >> /StmF /StdCF /StrF /StdCF';

/** Returns a document whose page tree is in the object stream 4, with a cross-reference stream. */
function packed(entries: string, data: string, first = 8): Buffer {
  const head = '%PDF-1.7\n';
  const one = `1 0 obj\n${CATALOG}\nendobj\n`;
  const four = Buffer.concat([Buffer.from('4 0 obj\n'), stream(entries, data), Buffer.from('\nendobj\n')]);
  const at = [9, 9 + one.length];
  const start = 9 + one.length + four.length;
  const row = (type: number, a: number, b: number): number[] =>
    [type, a >> 24, a >> 16, a >> 8, a, b].map((x) => x & 255);
  const rows = Buffer.from([
    ...row(0, 0, 255), ...row(1, at[0] ?? 0, 0), ...row(2, 4, 0), ...row(2, 4, 1), ...row(1, at[1] ?? 0, 0), ...row(1, start, 0),
  ]); // prettier-ignore
  return Buffer.concat([
    Buffer.from(head + one), four, Buffer.from('5 0 obj\n'),
    stream(`/Type /XRef /Size 6 /W [1 4 1] /Root 1 0 R /First ${first}`, rows),
    Buffer.from(`\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]); // prettier-ignore
}

const TWO = `2 0 3 ${TREE.length + 1} `;
const PACKED = `${TWO}${TREE} << ${PAGE} >>`;

export const OBJECTS: Readonly<Record<string, () => Buffer>> = {
  'object stream within itself': () =>
    onePage('/Contents 4 0 R', stream('/Type /ObjStm /N 1 /First 4 /Extends 4 0 R', '4 0 << /A 4 0 R >>')),
  'array nested 100,000 levels': () =>
    pdf([
      `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(100_000)}${']'.repeat(100_000)} >>`,
      TREE,
      `<< ${PAGE} >>`,
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
  'an object stream as it should be': () => packed(`/Type /ObjStm /N 2 /First ${TWO.length}`, PACKED),
  'object stream that extends itself': () =>
    packed(`/Type /ObjStm /N 2 /First ${TWO.length} /Extends 4 0 R`, PACKED),
  'object stream of a thousand million objects': () =>
    packed(`/Type /ObjStm /N 1000000000 /First ${TWO.length}`, PACKED),
  'object stream of a negative number of objects': () => packed('/Type /ObjStm /N -1 /First -5', PACKED),
  'object stream that contains itself': () =>
    packed('/Type /ObjStm /N 3 /First 14', `2 0 3 5 4 9  ${PACKED}`),
  'object stream whose length is within it': () =>
    Buffer.from(
      packed(`/Type /ObjStm /N 2 /First ${TWO.length}`, PACKED)
        .toString('latin1')
        .replace(/\/Length \d+/, '/Length 2 0 R'),
      'latin1',
    ),
  'object streams that extend one another, 100,000': () =>
    pdf([
      ...BODIES,
      ...times(100_000, (n) =>
        stream(`/Type /ObjStm /N 0 /First 0 /Extends ${((n + 1) % 100_000) + 4} 0 R`, ''),
      ),
    ]),
  'cross-reference stream of enormous widths': () =>
    Buffer.from(
      packed(`/Type /ObjStm /N 2 /First ${TWO.length}`, PACKED)
        .toString('latin1')
        .replace('/W [1 4 1]', '/W [1000000000 4 1]'),
      'latin1',
    ),
  'cross-reference stream of a thousand million entries': () =>
    Buffer.from(
      packed(`/Type /ObjStm /N 2 /First ${TWO.length}`, PACKED)
        .toString('latin1')
        .replace('/Size 6', '/Size 2000000000 /Index [0 2000000000]'),
      'latin1',
    ),
  'cross-references in a ring of 10,000': () => {
    const body = pdf(BODIES).toString('latin1');
    const start = body.lastIndexOf('xref\n0 4');
    const table = body.slice(0, start);
    const section = (prev: number): string =>
      `xref\n0 0\ntrailer\n<< /Size 4 /Root 1 0 R /Prev ${String(prev).padStart(10, '0')} >>\n`;
    const length = section(0).length;
    const sections = times(10_000, (n) => section(table.length + ((n + 1) % 10_000) * length));
    return Buffer.from(`${table}${sections.join('')}startxref\n${table.length}\n%%EOF`, 'latin1');
  },
  'a length that is its own stream': () =>
    onePage('/Contents 4 0 R', '<< /Length 4 0 R >>\nstream\nq Q\nendstream'),
  'references in a ring': () =>
    onePage('/Contents 4 0 R /Annots 4 0 R', ...times(50_000, (n) => `${((n + 1) % 50_000) + 4} 0 R`)),
  'dictionaries nested 100,000 levels': () =>
    withCatalog(`/X ${'<< /A '.repeat(100_000)} 1 ${'>>'.repeat(100_000)}`),
  'dictionaries nested without an end': () => withCatalog(`/X ${'<< /A '.repeat(200_000)}`),
  'a dictionary of a million keys': () =>
    withCatalog(`/X << ${times(1_000_000, (n) => `/K${n} 0`).join(' ')} >>`),
  'a string without an end': () => withCatalog(`/X ${'('.repeat(1_000_000)}`),
  'a name of 10 MB': () => withCatalog(`/X /${'a'.repeat(10_000_000)}`),
  'numbers 1e400 in the catalog': () => withCatalog('/X [1e400 -1e400 99999999999999999999999 +-5 ..5 --1]'),
  'generation of 99999': () => withCatalog('/X 99999999999 99999999999 R'),
  'keys of prototypes': () =>
    withCatalog(
      '/__proto__ << /A 1 >> /constructor 5 /toString 4 0 R /hasOwnProperty null',
      '<< /__proto__ 4 0 R >>',
    ),
  'a file that ends after its header': () => Buffer.from('%PDF-1.7\n%%EOF'),
  'a header only': () => Buffer.from('%PDF-'),
  ...Object.fromEntries(
    Object.entries({
      'encryption of version 99': `<< /Filter /Standard /V 99 /R 99 /Length 128 /P -4 ${O} ${U} >>`,
      'encryption without O and U': '<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 >>',
      'encryption of short O and U': '<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <00> /U <00> >>',
      'encryption of 10 MB in O': `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'00'.repeat(10_000_000)}> ${U} >>`,
      'encryption of a key of a thousand million bits': `<< /Filter /Standard /V 2 /R 3 /Length 1000000000 /P -4 ${O} ${U} >>`,
      'encryption of a negative key': `<< /Filter /Standard /V 2 /R 3 /Length -128 /P -4 ${O} ${U} >>`,
      'encryption of a key of 1 bit': `<< /Filter /Standard /V 1 /R 2 /Length 1 /P 99999999999999 ${O} ${U} >>`,
      'encryption that is itself': '4 0 R',
      'encryption of filters in a loop':
        '<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /CF 4 0 R /StmF 4 0 R /StrF /CF /O 4 0 R /U 4 0 R >>',
      'encryption of revision 6, empty': `<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 ${CF} /O () /U () /OE () /UE () /Perms () >>`,
      'encryption of revision 6, zeros': `<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 ${CF} /O <${'00'.repeat(48)}> /U <${'00'.repeat(48)}> /OE <${'00'.repeat(32)}> /UE <${'00'.repeat(32)}> /Perms <${'00'.repeat(16)}> >>`,
      'encryption by a certificate':
        '<< /Filter /Adobe.PubSec /V 4 /SubFilter /adbe.pkcs7.s5 /Recipients [<00>] >>',
      'encryption by nothing known': '<< /Filter /None /V 4 >>',
      'encryption that is a number': '5',
    }).map(([name, dictionary]) => [name, () => locked(dictionary)]),
  ),
};
