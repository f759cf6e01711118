import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { writeWordDocument } from '../../packages/print/src/word/index.ts';
import { document, PLAIN } from '../chrome/engine.ts';

/** A docx as its parts, made of html by the engine under test. */
export interface DocxParts {
  bytes: Buffer;
  /** Text of a part. */
  part: (name: string) => string;
  /** The part with the text. */
  body: string;
}

/** Makes a docx of html without header and footer. */
export async function wordOf(
  printer: HtmlReader,
  html: string,
  options: Partial<PrintOptions> = {},
  warn: (text: string) => void = () => {},
): Promise<DocxParts> {
  const session = printer.session('tenant');
  const sheet = { ...PLAIN, ...options };
  try {
    const made = { ...document(html), warn };
    const body = await session.read(made, sheet);
    const { title, language } = made.facts;
    const source = { body, header: null, footer: null, title, language };
    return partsOf(Buffer.from(await writeWordDocument({ source, sheet })));
  } finally {
    await session.close();
  }
}

/** Looks into a docx or odt. */
export function partsOf(bytes: Buffer): DocxParts {
  const part = (name: string): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-word-'));
    try {
      const file = path.join(folder, 'document.zip');
      writeFileSync(file, bytes);
      return execFileSync('unzip', ['-p', file, name], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  return { bytes, part, body: part('word/document.xml') };
}

/** The paragraph with that text, as it is written. */
export function paragraphWith(body: string, text: string): string {
  const found = (body.match(/<w:p>.*?<\/w:p>/gs) ?? []).filter((one) => textIn(one).includes(text));
  const [only] = found;
  if (only === undefined || found.length !== 1) throw new Error(`${found.length} paragraphs say ${text}`);
  return only;
}

/** The text of a stretch of WordprocessingML. */
export function textIn(xml: string): string {
  return (xml.match(/<w:t [^>]*>[^<]*|<w:br\/>|<w:tab\/>/g) ?? [])
    .map((one) => (one === '<w:br/>' ? '\n' : one === '<w:tab/>' ? '\t' : one.replace(/^<w:t [^>]*>/, '')))
    .join('');
}

/** The value of an attribute of the first such element. */
export function valueOf(xml: string, element: string, attribute = 'val'): string | undefined {
  return new RegExp(`<w:${element}\\b[^>]*\\bw:${attribute}="([^"]*)"`).exec(xml)?.[1];
}
