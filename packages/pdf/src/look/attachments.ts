import { readNames } from '../model/name-tree.ts';
import type { PdfFile } from '../model/index.ts';
import { annotationsOf } from '../model/page-geometry.ts';
import { isRef, isString, nameText, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

/** A file that is embedded in a document. */
export interface Attachment {
  name: string;
  mime: string | null;
  /** AFRelationship, such as `Alternative`. */
  relationship: string | null;
  description: string | null;
  /** Size in bytes that the document declares. */
  said: number | null;
  /** Its content. */
  stream: Ref;
}

/** The embedded files of a document, from its list and its pages' annotations, each content once. */
export function attachmentsOf(objects: PdfFile): Attachment[] {
  const found: Attachment[] = [];
  const seen = new Set<Ref>();
  const add = (value: PdfValue | undefined, fallback: string): void => {
    const attachment = attachmentOf(objects, objects.dict(value), fallback);
    if (attachment === undefined || seen.has(attachment.stream)) return;
    seen.add(attachment.stream);
    found.push(attachment);
  };
  const catalog = objects.catalog;
  for (const [name, value] of readNames(objects, objects.dict(catalog['/Names'])['/EmbeddedFiles'])) {
    add(value, textOf(name));
  }
  for (const value of objects.array(catalog['/AF'])) add(value, '');
  for (const page of objects.pages()) {
    for (const value of annotationsOf(objects, objects.dict(page))) {
      const annotation = objects.dict(value);
      if (annotation['/Subtype'] === '/FileAttachment') add(annotation['/FS'], '');
    }
  }
  return found;
}

function attachmentOf(objects: PdfFile, spec: PdfDict, fallback: string): Attachment | undefined {
  const files = objects.dict(spec['/EF']);
  const stream = [files['/UF'], files['/F'], files['/DOS'], files['/Mac'], files['/Unix']].find(isRef);
  if (stream === undefined || objects.get(stream)?.stream === undefined) return undefined;
  const dict = objects.dict(stream);
  const size = objects.resolve(objects.dict(dict['/Params'])['/Size']);
  const text = (value: PdfValue | undefined): string => textOf(objects.resolve(value));
  const named = text(spec['/UF']) || text(spec['/F']) || fallback;
  const relationship = objects.resolve(spec['/AFRelationship']);
  const mime = objects.resolve(dict['/Subtype']);
  const description = objects.resolve(spec['/Desc']);
  return {
    name: named === '' ? 'attachment' : named,
    mime: typeof mime === 'string' ? nameText(mime) : null,
    relationship: typeof relationship === 'string' ? nameText(relationship) : null,
    description: isString(description) ? textOf(description) : null,
    said: typeof size === 'number' && Number.isInteger(size) && size >= 0 ? size : null,
    stream,
  };
}
