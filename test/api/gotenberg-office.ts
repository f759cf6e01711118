import { afterAll, beforeAll, inject } from 'vitest';
import { createGotenberg, listen, type Listening } from '../../packages/gotenberg/src/index.ts';
import { odfWith } from '../convert/documents.ts';
import { run } from '../pdf/fixtures.ts';
import { asFile, pdfInfo } from './client.ts';

/** Requests to `/forms/libreoffice/convert`, and looks at what it makes. */

type Convert = (
  files: Record<string, Buffer>,
  fields?: Record<string, string>,
) => Promise<{ bytes: Buffer; warning: string | null }>;

/** Returns a function that converts documents, while the tests of the file run. */
export function officeRoute(): Convert {
  const { url, token } = inject('service');
  let listening: Listening;
  beforeAll(async () => {
    const fault = (error: unknown): void => {
      throw error;
    };
    listening = await listen(createGotenberg({ url, token }), { port: 0, host: '127.0.0.1', fault });
  });
  afterAll(async () => {
    await listening.stop();
  });
  return async (files, fields = {}) => {
    const body = new FormData();
    for (const [name, content] of Object.entries(files))
      body.append('files', new Blob([new Uint8Array(content)]), name);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    // A connection that is kept may have been closed while the tests waited for other programs.
    const request = { method: 'POST', body, headers: { connection: 'close' } };
    const response = await fetch(`${listening.url}/forms/libreoffice/convert`, request);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${response.status} ${bytes.toString()}`);
    return { bytes, warning: response.headers.get('warning') };
  };
}

/** Width and height of each page in points. */
export function sizes(pdf: Buffer): string[] {
  return Object.entries(pdfInfo(pdf, '-l', '99'))
    .filter(([name]) => /^Page +\d+ size$/.test(name))
    .map(([, size]) => size.replace(/(\d+)(?:\.\d+)? x (\d+).*/, '$1x$2'));
}

const PRESENTATION = 'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"';

/** A presentation whose second slide is hidden, with notes. */
export async function slides(): Promise<Buffer> {
  const frame = (text: string, more: string): string =>
    `<draw:frame ${more} svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const slide = (text: string, style: string): string =>
    `<draw:page draw:name="${text}" draw:style-name="${style}">${frame(text, '')}` +
    `<presentation:notes ${PRESENTATION}>${frame(`n${text}`, 'presentation:class="notes"')}</presentation:notes></draw:page>`;
  const styles =
    '<style:style style:name="shown" style:family="drawing-page"/><style:style style:name="hidden" style:family="drawing-page">' +
    `<style:drawing-page-properties ${PRESENTATION} presentation:visibility="hidden"/></style:style>`;
  const body = slide('A', 'shown') + slide('B', 'hidden') + slide('C', 'shown');
  return await odfWith('odp', body, styles);
}

/** The value of an expression of Python about a document that pikepdf has opened as `pdf`. */
export function looked(pdf: Buffer, expression: string, functions = ''): unknown {
  const program = `import json, pikepdf, sys\nfrom decimal import Decimal\n${functions}\npdf = pikepdf.open(sys.argv[1])\nprint(json.dumps(${expression}))`;
  return JSON.parse(asFile(pdf, (path) => run('/usr/bin/python3', '-c', program, path)));
}
