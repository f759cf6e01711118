import type { Font, Key, Partial, Translation } from '@platen/client';
import { call, callJson, callList, segment } from './client.ts';

/**
 * The resources that templates of a tenant share: partials, fonts and translations; and the keys for signing documents.
 */

export type { Font, Key, Partial, Translation };

export const listPartials = (): Promise<Partial[]> => callList('partials');

export async function partialFile(name: string): Promise<Blob> {
  return (await call('GET', `partials/${segment(name)}`)).blob();
}

/** @throws PlatenError `template_syntax` for a text that cannot be included */
export const putPartial = (name: string, file: Blob): Promise<Partial> =>
  callJson('PUT', `partials/${segment(name)}`, { form: { file_data: file } });

export async function deletePartial(name: string): Promise<void> {
  await call('DELETE', `partials/${segment(name)}`);
}

export const listFonts = (): Promise<Font[]> => callList('fonts');

/** @throws PlatenError `font_invalid` */
export const putFont = (file: File): Promise<Font> =>
  callJson('PUT', `fonts/${segment(file.name)}`, { form: { file_data: file } });

export async function deleteFont(filename: string): Promise<void> {
  await call('DELETE', `fonts/${segment(filename)}`);
}

export const listTranslations = (): Promise<Translation[]> => callList('translations');

export async function translationText(locale: string): Promise<string> {
  return (await call('GET', `translations/${segment(locale)}`)).text();
}

export const putTranslation = (locale: string, file: Blob): Promise<Translation> =>
  callJson('PUT', `translations/${segment(locale)}`, { form: { file_data: file } });

export async function deleteTranslation(locale: string): Promise<void> {
  await call('DELETE', `translations/${segment(locale)}`);
}

export const getKey = (name: string): Promise<Key> => callJson('GET', `keys/${segment(name)}`);

/** Stores a PKCS #12 file with its password, or trusted certificates in PEM. @throws PlatenError */
export const putKey = (
  name: string,
  fields: { pkcs12: File; password: string } | { certificate: File },
): Promise<Key> => callJson('PUT', `keys/${segment(name)}`, { form: fields });

export async function deleteKey(name: string): Promise<void> {
  await call('DELETE', `keys/${segment(name)}`);
}
