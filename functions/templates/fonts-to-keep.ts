import { namedFonts } from '@platen/office/named-fonts';
import { namesFamily, namesFace, textOf } from '@platen/print/fonts';
import { readDataAddress } from '@platen/core/text';
import { isWebFormat } from '@platen/print';
import { isDocument } from '@platen/templating/partials';
import { fontDetailsOf } from '../shared/store/tenant-files/fonts.ts';
import type { ReadFile } from '../shared/store/templates/retained-files.ts';
import type { NewFont } from '../shared/store/templates/new-files.ts';
import type { StoredFile, TemplateContent } from '../shared/store/templates/record.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import { MAX_FONT_BYTES } from '../shared/tenant-fonts.ts';

/**
 * Returns the fonts of the tenant that a version stores (I-40): those whose family occurs in one of its files.
 * Fonts that only its data name, or that are added later, are the tenant's current ones at the time of rendering.
 */
export async function fontsToKeep(
  files: TenantFiles,
  tenant: string,
  content: TemplateContent,
  read: ReadFile,
): Promise<NewFont[]> {
  const all = await files.current(tenant);
  // Forms are filled with the fonts of the service.
  if (all.length === 0 || content.format === 'pdf') return [];
  const [texts, names] = await namedIn(content, read);
  // A version stores no more fonts than one document may have.
  let left = MAX_FONT_BYTES;
  return all.flatMap((file): NewFont[] => {
    const { name, hash, contentType, size } = file;
    const { format, faces } = fontDetailsOf(file);
    const isNamed = namesFamily(texts, faces) || namesFace(names, faces);
    if (!isNamed || size > left) return [];
    left -= size;
    return [{ name, hash, contentType, size, format, faces, from: files.keyOf(tenant, file) }];
  });
}

/** Returns texts in lower case that may name families, and the families that office documents name. */
async function namedIn(
  content: TemplateContent,
  read: ReadFile,
): Promise<[texts: string[], names: string[]]> {
  const { format, templateFile, headerFile, footerFile, styleFiles, imageFiles, partials } = content;
  const included = Object.values(partials);
  const isWeb = isWebFormat(format);
  const ofTemplate = isWeb ? [templateFile, headerFile, footerFile] : [];
  const drawings = imageFiles.filter((image) => image.format === 'svg');
  const textFiles = [
    ...ofTemplate,
    ...styleFiles,
    ...drawings,
    ...included.filter((one) => !isDocument(one)),
  ];
  const documents = [...(isWeb ? [] : [templateFile]), ...included.filter(isDocument)];
  const texts = textFiles
    .filter((file): file is StoredFile => file !== null)
    .map(async (file) => withDrawings(textOf(await read(file))).toLowerCase());
  const names = documents.map(async (file) => await namedFonts(await read(file)));
  return [await Promise.all(texts), (await Promise.all(names)).flat()];
}

/** Drawings in `data:` addresses that can be found without parsing the text around them. */
const DRAWINGS = /data:\s*image\/svg\+xml[^,"'()<>]{0,200},[^"'()<>\s]*/gi;

/** Returns a text followed by the content of the encoded drawings in its `data:` addresses. */
function withDrawings(text: string): string {
  const drawings = Array.from(text.matchAll(DRAWINGS), ([address]) => readDataAddress(address)?.bytes);
  return [text, ...drawings.map((bytes) => (bytes === undefined ? '' : textOf(bytes)))].join('\n');
}
