import { call, callJson, segment } from './client.ts';

/** What templates of a tenant share: partials, fonts, translations; and the keys that documents are signed with. */

export interface Partial {
  name: string;
  format: 'text' | 'docx';
  bytes: number;
  timestamp: string;
}

export interface FontFace {
  family: string;
  style: string;
  weight: [number, number];
  italic: boolean;
  scripts: string[];
}

export interface Font {
  filename: string;
  format: string;
  bytes: number;
  faces: FontFace[];
  timestamp: string;
}

export interface Translation {
  /** As BCP 47 writes it. */
  locale: string;
  messages: number;
  timestamp: string;
}

export interface Key {
  name: string;
  kind: 'pkcs12' | 'kms' | 'anchor';
  subject: string;
  issuer: string;
  serial: string;
  valid_from: string;
  valid_to: string;
  fingerprint: string;
}

export const listPartials = (): Promise<Partial[]> => callJson('GET', 'partials');

export async function partialFile(name: string): Promise<Blob> {
  return (await call('GET', `partials/${segment(name)}`)).blob();
}

/** @throws ApiError `template_syntax` for one that cannot be included */
export const putPartial = (name: string, file: Blob): Promise<Partial> =>
  callJson('PUT', `partials/${segment(name)}`, { form: { file_data: file } });

export async function deletePartial(name: string): Promise<void> {
  await call('DELETE', `partials/${segment(name)}`);
}

export const listFonts = (): Promise<Font[]> => callJson('GET', 'fonts');

/** @throws ApiError `font_invalid` */
export const putFont = (file: File): Promise<Font> =>
  callJson('PUT', `fonts/${segment(file.name)}`, { form: { file_data: file } });

export async function deleteFont(filename: string): Promise<void> {
  await call('DELETE', `fonts/${segment(filename)}`);
}

export const listTranslations = (): Promise<Translation[]> => callJson('GET', 'translations');

export async function translationText(locale: string): Promise<string> {
  return (await call('GET', `translations/${segment(locale)}`)).text();
}

export const putTranslation = (locale: string, file: Blob): Promise<Translation> =>
  callJson('PUT', `translations/${segment(locale)}`, { form: { file_data: file } });

export async function deleteTranslation(locale: string): Promise<void> {
  await call('DELETE', `translations/${segment(locale)}`);
}

export const getKey = (name: string): Promise<Key> => callJson('GET', `keys/${segment(name)}`);

/** A PKCS #12 file with its password, or certificates in PEM that are trusted. @throws ApiError */
export const putKey = (
  name: string,
  fields: { pkcs12: File; password: string } | { certificate: File },
): Promise<Key> => callJson('PUT', `keys/${segment(name)}`, { form: fields });

export async function deleteKey(name: string): Promise<void> {
  await call('DELETE', `keys/${segment(name)}`);
}
