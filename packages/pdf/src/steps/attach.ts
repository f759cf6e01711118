import { readFile } from 'node:fs/promises';
import { embedFile } from '../model/embedded-file.ts';
import type { PdfFile } from '../model/index.ts';
import { readNames, UniqueNames, writeNames } from '../model/name-tree.ts';
import { pdfText, type PdfDict, type PdfValue } from '../model/values.ts';
import type { AttachedFile } from './types.ts';

/**
 * Attaches files to the document as a whole (ISO 32000-2, 7.11.4 and 14.13).
 *
 * @param now ISO 8601 in UTC
 */
export async function attach(
  file: PdfFile,
  { files }: { files: readonly AttachedFile[] },
  now: string,
): Promise<void> {
  const { catalog } = file;
  const names: PdfDict = { ...file.dict(catalog['/Names']) };
  const unique = new UniqueNames();
  const entries: [string, PdfValue][] = readNames(file, names['/EmbeddedFiles']).map(([name, value]) => [
    unique.take(name),
    value,
  ]);
  const associated: PdfValue[] = [...file.array(catalog['/AF'])];
  for (const attached of files) {
    const specification = file.add(await specificationOf(file, attached, now));
    entries.push([unique.take(pdfText(attached.name)), specification]);
    associated.push(specification);
  }
  names['/EmbeddedFiles'] = file.add(writeNames(entries, (node) => file.add(node)));
  file.set(file.catalogRef, { ...catalog, '/Names': names, '/AF': associated });
}

async function specificationOf(file: PdfFile, attached: AttachedFile, now: string): Promise<PdfDict> {
  const { name, description, mime = 'application/octet-stream', relationship = 'Unspecified' } = attached;
  const content = await readFile(attached.file);
  const stream = embedFile(file, content, mime, now);
  return {
    '/Type': '/Filespec',
    '/F': pdfText(name),
    '/UF': pdfText(name),
    '/AFRelationship': `/${relationship}`,
    '/EF': { '/F': stream, '/UF': stream },
    ...(description === undefined ? {} : { '/Desc': pdfText(description) }),
  };
}
