import { listed } from '@platen/core/listed';
import { readHtml } from '../html/parse.ts';
import { OfficePackage } from '../package.ts';
import { PictureRegistry } from '../pictures/registry.ts';
import { make } from '../xml/build.ts';
import { all, type Element, type Node, replace, Text } from '../xml/tree.ts';
import { DocxHtml } from './html.ts';
import { type DocxInline, resolveLeaf } from './inline.ts';
import { DocxNumbering } from './numbering.ts';
import { TEXT_PARTS } from './parts.ts';
import { DocxPictures } from './pictures.ts';
import { Subdocument } from './subdocument.ts';

/**
 * Documents of other formats that Word imports when it opens the file (`w:altChunk`, ECMA-376, 17.17.2.1). They become
 * content of the document here, so that their tags are filled and other programs show them.
 */

/** Most documents within one another. */
const MAX_DEPTH = 5;
/** Most files that a warning names. */
const MAX_NAMED = 5;

/**
 * @param warn called with a sentence about what cannot be imported
 * @throws PlatenError `office_file_damaged`, `office_file_encrypted`
 */
export async function importChunks(
  file: OfficePackage,
  warn: (text: string) => void,
  depth = 0,
): Promise<void> {
  const left = new Set<string>();
  for (const path of file.paths().filter((one) => TEXT_PARTS.test(file.typeOf(one)))) {
    if (file.bytes(path)?.includes('altChunk') !== true) continue;
    const document = file.xml(path);
    const relations = file.relationships(path);
    const pictures = new DocxPictures(file, path, new PictureRegistry(new Map()), document.root);
    for (const chunk of all(document.root, 'w:altChunk')) {
      const id = chunk.get('r:id') ?? '';
      const chunkPath = relations.find(id)?.path ?? '';
      const { parent } = chunk;
      const nodes = parent === null ? null : await contentOf(chunkPath, { file, path, parent, warn, depth });
      if (nodes === null) {
        left.add(chunkPath);
        continue;
      }
      replace(chunk, ...nodes);
      relations.delete(id);
      for (const node of nodes) if (node.kind === 'element') resolveValues(node, pictures, left);
    }
    file.setXml(path, document);
    DocxNumbering.save(file);
  }
  if (left.size > 0) warn(`Documents and pictures to import that were left out: ${listed(left, MAX_NAMED)}.`);
}

/** Turns the breaks and pictures of HTML into elements. @param left receives the addresses of other pictures */
function resolveValues(block: Element, pictures: DocxPictures, left: Set<string>): void {
  const inline: DocxInline = {
    picture: (value, near) => {
      if (/^data:/i.test(value.src)) return pictures.drawing(value, near);
      left.add(value.src);
      return null;
    },
    rich: () => [],
  };
  for (const leaf of all(block, 'w:t')) resolveLeaf(leaf, inline);
}

interface Place {
  file: OfficePackage;
  /** Path of the part with the chunk. */
  path: string;
  parent: Element;
  warn: (text: string) => void;
  depth: number;
}

/** Returns the content of a chunk; null for one that cannot be read. */
async function contentOf(chunk: string, { file, path, parent, warn, depth }: Place): Promise<Node[] | null> {
  const bytes = file.bytes(chunk);
  if (bytes === undefined || depth >= MAX_DEPTH) return null;
  switch (kindOf(chunk, file)) {
    case 'html': {
      const place = { file, part: path, format: make(parent, 'w:p'), near: parent };
      return new DocxHtml(place).write(readHtml(bytes.toString()));
    }
    case 'text':
      return bytes
        .toString()
        .trimEnd()
        .split(/\r\n|[\r\n]/)
        .map((line) => {
          const text = make(parent, 'w:t', { 'xml:space': 'preserve' });
          text.append(new Text(line));
          return make(parent, 'w:p', {}, make(parent, 'w:r', {}, text));
        });
    case 'docx': {
      const inner = await OfficePackage.open(bytes);
      await importChunks(inner, warn, depth + 1);
      return new Subdocument(inner).blocksFor(file, path, parent);
    }
    default:
      return null;
  }
}

function kindOf(chunk: string, file: OfficePackage): 'html' | 'text' | 'docx' | null {
  const type = file.typeOf(chunk);
  if (/html/.test(type) || /\.x?html?$/i.test(chunk)) return 'html';
  if (/wordprocessingml|ms-word/.test(type) || /\.do[ct][xm]$/i.test(chunk)) return 'docx';
  return type.startsWith('text/plain') || /\.txt$/i.test(chunk) ? 'text' : null;
}
