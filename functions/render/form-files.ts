import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textsIn } from '../shared/texts-in.ts';
import type { RenderTemplate, TemplateImage } from './template.ts';

/** The files that filling a form reads. */
export interface FormFiles {
  path: string;
  /** Returns the paths of the images that a record names for buttons. */
  imagesFor: (data: unknown) => Promise<Record<string, string>>;
}

/** Writes the form, and images when needed, as files that all records of a request share. */
export async function openForm(
  { bytes, images }: Pick<RenderTemplate, 'bytes' | 'images'>,
  scratch: () => Promise<string>,
): Promise<FormFiles & AsyncDisposable> {
  const base = join(await scratch(), randomUUID());
  const path = `${base}.pdf`;
  const written = new Map<string, Promise<string>>();
  const write = async (image: TemplateImage): Promise<string> => {
    const to = `${base}.${written.size}.image`;
    await writeFile(to, await image.bytes());
    return to;
  };
  await writeFile(path, bytes);
  return {
    path,
    imagesFor: async (data) => {
      const found: Record<string, string> = {};
      for (const name of textsIn(data)) {
        const image = images.get(name);
        if (image === undefined) continue;
        const file = written.get(name) ?? write(image);
        written.set(name, file);
        found[name] = await file;
      }
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      const kept = await Promise.allSettled(written.values());
      const paths = kept.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      await Promise.all([path, ...paths].map((file) => rm(file, { force: true })));
    },
  };
}
