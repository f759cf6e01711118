import { docx, p, png } from '../../office/build.ts';
import type { Random } from '../../support/random.ts';
import type { Client, Fields } from './client.ts';
import {
  coloured,
  filesOfZip,
  type Mark,
  newMark,
  pictureColourFault,
  pdfFault,
  pngColourFault,
  wordsFault,
} from './documents.ts';

/** Requests of all kinds, each with marks of its own, and what their documents have to show. */

const RECORDS = 3;
const SOURCES = 20;

interface Source {
  pdf: Buffer;
  /** The document has the word of the first, whose colour its page has, and that of the second. */
  marks: readonly [Mark, Mark];
}

interface Context {
  client: Client;
  random: Random;
  letter: Buffer;
  /** Documents that were right, as input of others. */
  sources: Source[];
}

/** Sends a request. @returns what is wrong with its document; empty when nothing is */
type Kind = (kind: string, context: Context) => Promise<string>;

const html = (template: string): Fields => ({ file_data: [template, 'a.html'] });
const data = (...marks: Mark[]): Fields => ({
  render_data: JSON.stringify({ mark: marks[0]?.word, other: marks[1]?.word }),
});
const options = (value: object): Fields => ({ render_options: JSON.stringify(value) });

async function rendered(kind: string, { client, random, sources }: Context): Promise<string> {
  const marks = [newMark(random), newMark(random)] as const;
  const fields = { ...html(coloured(marks[0])), ...data(...marks) };
  const { body } = await client.send(kind, '/v1/render/pdf', { fields });
  const fault = await pdfFault(
    body,
    marks.map(({ word }) => word),
  );
  if (fault !== '') return fault;
  sources.push({ pdf: body, marks });
  if (sources.length > SOURCES) sources.shift();
  return '';
}

/** Takes a document that was made before. */
function source({ random, sources }: Context): Source {
  return random.pick(sources);
}

export const KINDS: Readonly<Record<string, Kind>> = {
  'html to pdf': rendered,
  'html again': rendered,
  async html(kind, { client, random }) {
    const mark = newMark(random);
    const { body } = await client.send(kind, '/v1/render/html', {
      fields: { ...html('{{ mark }}'), ...data(mark) },
    });
    return wordsFault(body.toString(), [mark.word]);
  },
  async webkit(kind, { client, random }) {
    const mark = newMark(random);
    const fields = { ...html('<p>{{ mark }}'), ...data(mark), ...options({ rendering_engine: 'webkit' }) };
    const { body } = await client.send(kind, '/v1/render/pdf', { fields });
    return await pdfFault(body, [mark.word]);
  },
  async docx(kind, { client, random, letter }) {
    const mark = newMark(random);
    const fields: Fields = { file_data: [letter, 'a.docx'], ...data(mark) };
    const { body } = await client.send(kind, '/v1/render/pdf', { fields });
    return await pdfFault(body, [mark.word]);
  },
  async batch(kind, { client, random }) {
    const marks = Array.from({ length: RECORDS }, () => newMark(random));
    const records = JSON.stringify(marks.map(({ word }) => ({ mark: word })));
    const fields = { ...html('<p>{{ mark }}'), render_data: records };
    const { body } = await client.send(kind, '/v1/render/pdf/batch', { fields });
    return await batchFault(body, marks);
  },
  async merge(kind, context) {
    const two = [source(context), source(context)] as const;
    const fields: Fields = { file1: [two[0].pdf, 'a.pdf'], file2: [two[1].pdf, 'b.pdf'] };
    const { body } = await context.client.send(kind, '/v1/pdf/merge', { fields });
    return await pdfFault(
      body,
      two.flatMap(({ marks }) => marks.map(({ word }) => word)),
    );
  },
  async redact(kind, context) {
    const { pdf, marks } = source(context);
    const fields: Fields = { file: [pdf, 'a.pdf'], words: JSON.stringify([marks[0].word]) };
    const { body } = await context.client.send(kind, '/v1/pdf/redact', { fields });
    return await pdfFault(body, [marks[1].word]);
  },
  async 'picture of a page'(kind, context) {
    const { pdf, marks } = source(context);
    const fields: Fields = { file: [pdf, 'a.pdf'], dpi: '40' };
    const { body } = await context.client.send(kind, '/v1/pdf/image/png', { fields });
    const [first] = body.toString('latin1', 0, 2) === 'PK' ? await filesOfZip(body) : [body];
    return pngColourFault(first ?? Buffer.alloc(0), marks[0]);
  },
  async image(kind, { client, random }) {
    const mark = newMark(random);
    const fields: Fields = { image: [png(64, 64, 96, mark.colour), 'a.png'] };
    const { body } = await client.send(kind, '/v1/render/img', { fields });
    return await pictureColourFault(body, mark);
  },
};

export async function batchFault(zip: Buffer, marks: readonly Mark[]): Promise<string> {
  const files = await filesOfZip(zip);
  if (files.length !== marks.length) return `has ${files.length} documents`;
  for (const [at, file] of files.entries()) {
    const fault = await pdfFault(file, [marks[at]?.word ?? '']);
    if (fault !== '') return `document ${at + 1} ${fault}`;
  }
  return '';
}

/** Prepares what sends any of the kinds of requests, with a document to start from. */
export async function requester(client: Client, random: Random): Promise<(kind: string) => Promise<void>> {
  const letter = Buffer.from(await docx(p('Dear {{ mark }},')));
  const context: Context = { client, random, letter, sources: [] };
  const send = async (kind: string): Promise<void> => {
    const fault = await KINDS[kind]?.(kind, context);
    client.tally.add(kind, fault === '' ? 'right' : 'wrong', fault);
  };
  await send('html to pdf');
  return send;
}
