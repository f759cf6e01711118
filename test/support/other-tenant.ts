import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';

/** A document with everything that an object that tenants share could change in it. */
const DOCUMENT =
  '<p>{{ "2026-11-26" | format_date("long") }} {{ 1234.5 | format_currency("EUR") }} {{ o.constructor }}|{{ o.toString }}' +
  '<p>{{ "4006381333931" | barcode("ean13") }}{{ "**b** [l](https://a.example/)" | markdown }}' +
  '<p>{{ chart({"xAxis": {"data": ["Mon"]}, "yAxis": {}, "series": [{"type": "bar", "stack": "a", "data": [1]}]}) }}' +
  '{% for row in rows %}<p>{{ row.name }} {{ row.price }}{% endfor %}';

/**
 * Prints the document of a tenant whom nobody attacks.
 *
 * @returns what a reader sees: the text and a digest of the pixels; or the error
 */
export async function otherTenantsDocument(url: string, token: string): Promise<string> {
  const body = new FormData();
  body.append('file_data', DOCUMENT);
  body.append('render_data', '{"o":{},"rows":[{"name":"Paper","price":4.5},{"name":"Ink"}]}');
  const answer = await fetch(`${url}/v1/render/pdf`, {
    method: 'POST',
    headers: { authorization: token },
    body,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) return `${answer.status} ${bytes.toString('utf8', 0, 500)}`;
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' });
  const pixels = execFileSync('pdftoppm', ['-r', '50', '-'], { input: bytes });
  return `${text}\n${createHash('sha256').update(pixels).digest('hex')}`;
}

/** Creates a token of another tenant for a service, as an operator does. */
export async function otherTenantsToken(dataDirectory: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'node_modules/.bin/node',
    ['bin/token.ts', 'create', '--tenant', 'other'],
    { env: { ...process.env, PLATEN_DATA_DIR: dataDirectory } },
  );
  return stdout.trim().split('\n').at(-1) ?? '';
}
