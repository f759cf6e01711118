import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compilePdfium } from '../../../packages/pdf/src/pdfium/binary.ts';
import { PdfiumDocument } from '../../../packages/pdf/src/pdfium/document.ts';
import { python } from '../../support/python.ts';

/** Readers that look for words in PDFs independently of the code that removes them. */

const pdfium = await compilePdfium();

const printed = (program: string, ...args: string[]): string =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 60_000 }).stdout;

async function byPdfium(path: string): Promise<string> {
  const document = await PdfiumDocument.open(pdfium, { path });
  try {
    const pages = Array.from({ length: document.pages }, (_, index) => document.text(index + 1)?.chars ?? []);
    return pages.map((chars) => chars.map(({ text }) => text).join('')).join('\f');
  } finally {
    document.close();
  }
}

/** All strings of all objects and decoded streams, in the encodings that text may have. */
const STRINGS = `
import sys, re, pikepdf
sys.stdout.reconfigure(encoding='utf8', errors='replace')
pdf = pikepdf.open(sys.argv[1])
def walk(value, level=0):
    if level > 30 or (level > 0 and getattr(value, 'is_indirect', False)): return
    if isinstance(value, pikepdf.String): print(str(value))
    elif isinstance(value, pikepdf.Array):
        for one in value: walk(one, level + 1)
    elif isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        for key in value.keys(): walk(value[key], level + 1)
for value in pdf.objects:
    walk(value)
    if not isinstance(value, pikepdf.Stream) or value.get('/Subtype') == '/Image': continue
    try: data = value.read_bytes()
    except Exception: continue
    if b'begincmap' in data or any(key in value for key in ('/Length1', '/N')): continue
    if str(value.get('/Subtype', '')) in ('/Type1C', '/CIDFontType0C', '/OpenType'): continue
    print(data.decode('utf8', 'replace'))
    for hexa in re.findall(rb'<([0-9a-fA-F\\s]+)>', data):
        digits = re.sub(rb'\\s', b'', hexa)
        data = bytes.fromhex((digits + b'0' * (len(digits) % 2)).decode())
        print(data.decode('latin1'), data.decode('utf-16-be', 'replace'))
`;

/** The texts of a document by each reader. */
export async function textsOf(path: string): Promise<Record<string, string>> {
  // Empty lines separate blocks, such as the cells of a table: words of two of them are no phrase.
  const blocks = (text: string): string => text.replaceAll(/\n{2,}/g, '\0');
  return {
    poppler: blocks(printed('pdftotext', path, '-')),
    // Its lines go across all cells and columns, from left to right in all scripts.
    layout: printed('pdftotext', '-layout', path, '-').replaceAll(/ {3,}|\n/g, '\0'),
    mupdf: blocks(printed('mutool', 'draw', '-q', '-F', 'txt', path)),
    pdfium: await byPdfium(path),
    strings: python(STRINGS, path),
    bytes: readFileSync(path).toString('latin1'),
  };
}

/** A text without marks of direction and differences of normalization and case. */
export function plain(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
      // Pages stay apart: each reader has an order of its own, and so other neighbours at their ends.
      .replaceAll('\f', '\0')
      .replace(/\s+/gu, ' ')
  );
}

/** The readers that find a word in their texts. */
export function findersOf(texts: Readonly<Record<string, string>>, word: string): string[] {
  const wanted = plain(word).trim();
  return Object.entries(texts).flatMap(([reader, text]) => (text.includes(wanted) ? [reader] : []));
}
