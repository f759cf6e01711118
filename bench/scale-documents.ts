import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** Large documents as finished html, by names that state what is large in them. */
export async function largeDocuments(): Promise<Record<string, string>> {
  return {
    'a table of 1,000 rows': table(1_000),
    'a page of 300 images': await images(300),
    'a text of 500 pages': pages(500),
  };
}

function documentOf(body: string): string {
  const style = 'body{font:11pt Tinos}td{border:1px solid #999;padding:2pt}.page{break-after:page}';
  return `<!doctype html><html lang="en"><title>Large</title><style>${style}</style><body>${body}`;
}

function table(rows: number): string {
  const row = (n: number): string =>
    `<tr><td>${n}<td>Article ${n} of the list<td>${(n % 7) + 1}<td>${(n * 3.5).toFixed(2)}`;
  const body = Array.from({ length: rows }, (_, n) => row(n + 1)).join('');
  return documentOf(
    `<h1>List</h1><table><thead><tr><th>No<th>Article<th>Quantity<th>Price<tbody>${body}</table>`,
  );
}

/** Returns different pictures of 120 by 90 pixels with the noise of photographs. */
async function images(count: number): Promise<string> {
  const [width, height] = [120, 90];
  const one = async (n: number): Promise<string> => {
    const grain = createHash('shake256', { outputLength: width * height * 3 })
      .update(String(n))
      .digest();
    const jpeg = await sharp(grain, { raw: { width, height, channels: 3 } })
      .blur(4)
      .jpeg()
      .toBuffer();
    return `<img alt="Picture ${n}" src="data:image/jpeg;base64,${jpeg.toString('base64')}">`;
  };
  return documentOf((await Promise.all(Array.from({ length: count }, (_, n) => one(n)))).join(' '));
}

function pages(count: number): string {
  const text = 'The quick brown fox jumps over the lazy dog, and the dog sleeps on. '.repeat(20);
  const page = (n: number): string => `<div class="page"><h2>Chapter ${n}</h2><p>${text}<p>${text}</div>`;
  return documentOf(Array.from({ length: count }, (_, n) => page(n + 1)).join(''));
}
