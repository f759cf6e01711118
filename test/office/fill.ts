import { fillDocument } from '../../packages/office/src/fill.ts';
import type { LoadedJob } from '../../packages/office/src/job.ts';
import { parseXml } from '../../packages/office/src/xml/parse.ts';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { unzip } from './build.ts';
import { keep } from './kept.ts';

export interface Options {
  format?: LoadedJob['format'];
  engine?: LoadedJob['engine'];
  images?: Readonly<Record<string, Uint8Array>>;
  /** Receives the warnings. */
  warn?: (text: string) => void;
}

/** Fills a template with data given as a value, or as JSON text. */
export async function fill(bytes: Uint8Array, data: unknown, options: Options = {}): Promise<Uint8Array> {
  const images = new Map(
    Object.entries(options.images ?? {}).map(([uri, image]) => [
      uri,
      { contentType: 'image/png', bytes: image },
    ]),
  );
  const job: LoadedJob = {
    format: options.format ?? 'docx',
    bytes,
    engine: options.engine ?? 'jinja2',
    data: typeof data === 'string' ? data : JSON.stringify(data),
    images,
    time: 10_000,
  };
  const result = (await fillDocument(job, options.warn)).bytes;
  keep(job.format, bytes, result);
  return result;
}

/** A part, parsed; throws where it is not well-formed. */
export async function part(bytes: Uint8Array, path: string): Promise<Element> {
  const content = (await unzip(bytes)).get(path);
  if (content === undefined) throw new Error(`there is no ${path}`);
  return parseXml(content).root;
}

/** Text of each paragraph: a break is a new line, a tab a tab. */
export async function paragraphs(bytes: Uint8Array, path = 'word/document.xml'): Promise<string[]> {
  return all(await part(bytes, path), 'w:p', 'a:p', 'text:p', 'text:h').map(paragraphText);
}

function paragraphText(paragraph: Element): string {
  let text = '';
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text;
      else if (child.kind !== 'element' || child.tag === 'w:p') continue;
      else if (child.tag === 'w:br') text += child.get('w:type') === 'page' ? '\f' : '\n';
      else if (child.tag === 'a:br' || child.tag === 'text:line-break') text += '\n';
      else if ((child.tag === 'w:tab' && element.tag === 'w:r') || child.tag === 'text:tab') text += '\t';
      else if (child.tag === 'text:s') text += ' '.repeat(Number(child.get('text:c') ?? 1));
      else visit(child);
    }
  };
  visit(paragraph);
  return text;
}

/** Texts of the cells of each row of a part's tables. */
export async function rows(bytes: Uint8Array, path = 'word/document.xml'): Promise<string[][]> {
  return all(await part(bytes, path), 'w:tr', 'a:tr', 'table:table-row').map((row) =>
    row
      .elements()
      .filter((cell) => /:(tc|table-cell)$/.test(cell.tag))
      .map((cell) => all(cell, 'w:p', 'a:p', 'text:p').map(paragraphText).join('¶')),
  );
}
