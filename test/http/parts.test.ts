import { describe, expect, it } from 'vitest';
import { bodyParts } from '../../functions/shared/http/parts.ts';
import { multipart, urlencoded } from '../support/gateway-event.ts';

async function read(request: { headers: Record<string, string>; body: Buffer | string }) {
  return await bodyParts(Buffer.from(request.body), request.headers['Content-Type'] ?? null, false);
}

/** A body of one part. @param parameters of its Content-Disposition */
function part(parameters: string): string {
  return `--x\r\nContent-Disposition: form-data${parameters}\r\n\r\n1\r\n--x--\r\n`;
}

describe('multipart bodies (I-6)', () => {
  it('keeps every byte of a file, also one that looks like text in another encoding', async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256));
    const [part] = await read(multipart([{ name: 'file_data', content: bytes, filename: 'a.bin' }]));
    expect(part).toMatchObject({ name: 'file_data', filename: 'a.bin' });
    expect(part?.bytes.equals(bytes)).toBe(true);
  });

  it('treats filename="" as a file without a name, with any content type', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x80]);
    const parts = await read(
      multipart([
        { name: 'image', content: bytes, filename: '', contentType: 'image/jpeg' },
        { name: 'file_data', content: '<p>é</p>', filename: '', contentType: 'text/html' },
      ]),
    );
    expect(parts.map((part) => part.filename)).toEqual(['', '']);
    expect(parts[0]?.bytes.equals(bytes)).toBe(true);
    expect(parts[1]?.bytes.toString()).toBe('<p>é</p>');
  });

  it('distinguishes a text part from a file and keeps its text, with a charset and without', async () => {
    const parts = await read(
      multipart([
        { name: 'a', content: 'naïve ✓' },
        { name: 'b', content: 'naïve', contentType: 'text/plain; charset=utf-8' },
        { name: 'c', content: '{"x":1}', contentType: 'application/json' },
      ]),
    );
    expect(parts.map((part) => [part.filename, part.bytes.toString()])).toEqual([
      [null, 'naïve ✓'],
      [null, 'naïve'],
      [null, '{"x":1}'],
    ]);
  });

  it('keeps the order in which many files were sent', async () => {
    const sent = Array.from({ length: 300 }, (_, i) => ({
      name: `file${i}`,
      content: `n${i}`,
      filename: 'x',
    }));
    const parts = await read(multipart(sent));
    expect(parts.map((part) => `${part.name}=${part.bytes.toString()}`)).toEqual(
      sent.map(({ name, content }) => `${name}=${content}`),
    );
  });

  it('keeps a file name in any script', async () => {
    const [part] = await read(multipart([{ name: 'f', content: 'x', filename: 'Größe 名前.html' }]));
    expect(part?.filename).toBe('Größe 名前.html');
  });

  it('leaves a body alone that quotes a part header inside a file', async () => {
    const content = 'Content-Disposition: form-data; name="x"; filename=""\r\n\r\nno part';
    const parts = await read(multipart([{ name: 'f', content, filename: 'a.txt' }]));
    expect(parts).toHaveLength(1);
    expect(parts[0]?.bytes.toString()).toBe(content);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
    [
      'that ends in the middle',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nab',
    ],
    ['that is no multipart at all', 'multipart/form-data; boundary=x', 'hello'],
  ])('refuses a body %s as malformed_multipart', async (_, contentType, body) => {
    await expect(bodyParts(Buffer.from(body), contentType, false)).rejects.toMatchObject({
      code: 'malformed_multipart',
    });
  });

  it.each([
    ['as .NET writes it', '--x\r\n\r\n--x--\r\n'],
    ['without its last line break', '--x\r\n\r\n--x--'],
    ['of the last boundary alone', '--x--\r\n'],
  ])('reads an empty body %s as no fields', async (_, body) => {
    expect(await bodyParts(Buffer.from(body), 'multipart/form-data; boundary="x"', false)).toEqual([]);
  });

  it.each([
    ['multipart, empty', 'multipart/form-data; boundary=x', part('; name=""')],
    ['multipart, none', 'multipart/form-data; boundary=x', part('')],
    ['multipart, a file', 'multipart/form-data; boundary=x', part('; name=""; filename="f"')],
    ['urlencoded', 'application/x-www-form-urlencoded', '=1'],
    ['JSON', 'application/json', '{"": "1"}'],
  ])('reads a missing field name as an empty one: %s', async (_, contentType, body) => {
    const [field] = await bodyParts(Buffer.from(body), contentType, false);
    expect(field).toMatchObject({ name: '', bytes: Buffer.from('1') });
  });

  it('refuses a body of thousands of parts instead of collecting them', async () => {
    const parts = Array.from({ length: 5_001 }, () => ({ name: 'a', content: '' }));
    await expect(read(multipart(parts))).rejects.toMatchObject({ code: 'malformed_multipart' });
  });
});

describe('other bodies (I-6)', () => {
  it.each([
    ['urlencoded', 'application/x-www-form-urlencoded', 'a=1&'.repeat(5_001)],
    ['JSON', 'application/json', `{${Array.from({ length: 5_001 }, (_, i) => `"a${i}":1`).join(',')}}`],
  ])('refuses thousands of fields, %s', async (_, contentType, body) => {
    await expect(bodyParts(Buffer.from(body), contentType, false)).rejects.toMatchObject({
      code: 'malformed_request',
      message: 'The body has more than 5000 fields.',
    });
  });

  it('reads JSON in UTF-16, and the numbers that Python writes', async () => {
    const body = Buffer.from('{"render_data": {"a": NaN}, "n": -Infinity}', 'utf16le');
    const parts = await bodyParts(body, 'application/json', false);
    expect(parts.map((part) => [part.name, part.bytes.toString()])).toEqual([
      ['render_data', '{"a": NaN}'],
      ['n', '-Infinity'],
    ]);
  });

  it('reads urlencoded fields', async () => {
    const parts = await read(urlencoded({ render_data: '{"a": "b&c=d"}', n: 'ü' }));
    expect(parts.map((part) => [part.name, part.bytes.toString()])).toEqual([
      ['render_data', '{"a": "b&c=d"}'],
      ['n', 'ü'],
    ]);
  });

  it('keeps the text of a JSON member: key order, 1.0 and large integers survive (I-16)', async () => {
    const data = '{"z": 1.0, "10": 12345678901234567890, "a": [1, {"b": "}"}], "s": "\\"x,\\u00e9"}';
    const body = `  {"render_data" : ${data} , "render_options":{"scale":"1.5"},"name":"a\\nb","none":null, "n": 3}  `;
    const parts = await bodyParts(Buffer.from(body), 'application/json', false);
    expect(parts.map((part) => [part.name, part.bytes.toString()])).toEqual([
      ['render_data', data],
      ['render_options', '{"scale":"1.5"}'],
      ['name', 'a\nb'],
      ['n', '3'],
    ]);
  });

  it.each(['[1,2]', '{"a":1', 'null', '"x"', '{"a":1}}'])('refuses the JSON body %s', async (body) => {
    await expect(bodyParts(Buffer.from(body), 'application/json', false)).rejects.toMatchObject({
      code: 'malformed_json',
    });
  });

  it('refuses another content type, or none, with 415', async () => {
    await expect(bodyParts(Buffer.from('x'), 'text/xml', false)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
    await expect(bodyParts(Buffer.from('x'), null, false)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  });
});
