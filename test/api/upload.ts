import { call, expectStatus, form, jsonOf } from './client.ts';

/** Uploads over HTTP, as a client makes them. */

export interface Upload {
  id: string;
  reference: string;
  url: string;
  fields: Record<string, string>;
  max_bytes: number;
  expires_at: string;
  usable_until: string;
}

export async function ask(wanted: Record<string, string> = {}): Promise<Upload> {
  const answer = expectStatus(await call('POST', '/v1/uploads', { body: form(wanted) }), 200);
  return jsonOf(answer) as unknown as Upload;
}

export async function send(
  { url, fields }: Pick<Upload, 'url' | 'fields'>,
  content: string | Buffer,
): Promise<Response> {
  const body = form(fields);
  body.append('file', new Blob([content]), 'file');
  return await fetch(url, { method: 'POST', body });
}

/** Asks for an upload, sends the file, and gives the text that refers to it. */
export async function uploaded(content: string | Buffer, name = 'file'): Promise<string> {
  const upload = await ask({ name, size: String(Buffer.byteLength(content)) });
  const answer = await send(upload, content);
  if (!answer.ok) throw new Error(await answer.text());
  return upload.reference;
}
