import { deflateSync } from 'node:zlib';

/** Builds PDFs of raw objects, for documents that no library would write. */

export type Body = string | Buffer;

export const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
export const TREE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
export const PAGE = '/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]';
export const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 200 200]';

/** Returns a PDF of objects from number 1 on, with a cross-reference table. */
export function pdf(bodies: readonly Body[], trailer = ''): Buffer {
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
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${end}`, 'latin1'));
  return Buffer.concat(parts);
}

export function stream(dictionary: string, data: Body): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Returns a document of one page with the objects that it refers to, from number 4 on. */
export function onePage(entries: string, ...others: Body[]): Buffer {
  return pdf([CATALOG, TREE, `<< ${PAGE} ${entries} >>`, ...others]);
}

/** Returns a document whose catalog has more entries, with the objects that they refer to, from number 4 on. */
export function withCatalog(entries: string, ...others: Body[]): Buffer {
  return pdf([`<< /Type /Catalog /Pages 2 0 R ${entries} >>`, TREE, `<< ${PAGE} >>`, ...others]);
}

/** Returns a page with that content (object 4) and resources, and the objects from number 5 on. */
export function drawing(resources: string, content: Body, ...others: Body[]): Buffer {
  return onePage(`/Contents 4 0 R /Resources << ${resources} >>`, stream('', content), ...others);
}

/** Returns a page that shows the object 5 as `/X`. */
export function showing(object: Body, ...others: Body[]): Buffer {
  return drawing('/XObject << /X 5 0 R >>', 'q 200 0 0 200 0 0 cm /X Do Q', object, ...others);
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns blanks, compressed with Deflate several times. */
export function blanks(bytes: number, layers: number): Buffer {
  let data: Buffer = Buffer.alloc(bytes, 0x20);
  for (let layer = 0; layer < layers; layer++) data = deflateSync(data, { level: 9 });
  return data;
}

export function filters(count: number): string {
  return `/Filter [${'/FlateDecode '.repeat(count)}]`;
}
