import { MANIFEST } from '../format.ts';
import { folderOf } from '../ooxml/related.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element } from '../xml/tree.ts';

/**
 * Adds pixels to the drawings (SVG) of a document. Microsoft Office shows a drawing only when a pixel image
 * is in its place and names the drawing in an extension ([MS-ODRAWXML] 2.23, `svgBlip`); OpenDocument has
 * both in one frame (ODF 1.3 part 3, 10.4.2), the better one first, as LibreOffice writes it.
 */

/** The extension that names the drawing of a picture. */
const SVG_BLIP = '{96DAC541-7B7A-43D3-8B79-37D633B846F1}';
const RELATIONSHIPS = /^(.*)_rels\/([^/]+)\.rels$/;
/** OpenDocument parts that show pictures. */
const ODF_PARTS = ['content.xml', 'styles.xml'];

/** A drawing without pixels, and the function that adds them. */
interface Alone {
  /** Path of the drawing. */
  path: string;
  /** @param pixels path of the pixel image */
  complete: (pixels: string) => void;
}

/**
 * Returns the drawings of a document that have no pixels, by path. @param bytes as `OfficePackage.save`
 * returns them
 */
export async function drawingsWithoutPixels(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  // Entry names are readable in the ZIP, so most documents need not be unpacked.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('.svg')) return found;
  const file = await OfficePackage.open(bytes);
  for (const { drawings } of partsWithDrawings(file)) {
    for (const { path } of drawings) {
      const drawing = file.bytes(path);
      if (drawing !== undefined) found.set(path, drawing);
    }
  }
  return found;
}

/**
 * Adds pixels to drawings.
 *
 * @param pixels PNG files by the drawings' paths, as `drawingsWithoutPixels` returns them; drawings without an entry
 *   stay unchanged
 */
export function addPixels(file: OfficePackage, pixels: ReadonlyMap<string, Uint8Array>): void {
  const stored = new Map<string, string>();
  for (const { part, document, drawings } of partsWithDrawings(file)) {
    let changed = false;
    for (const { path, complete } of drawings) {
      const png = pixels.get(path);
      if (png === undefined) continue;
      const known = stored.get(path) ?? storePixels(file, path, png);
      stored.set(path, known);
      complete(known);
      changed = true;
    }
    if (changed) file.setXml(part, document);
  }
}

function* partsWithDrawings(
  file: OfficePackage,
): Generator<{ part: string; document: XmlDocument; drawings: Alone[] }> {
  if (file.has(MANIFEST)) {
    for (const part of ODF_PARTS.filter((path) => file.has(path))) {
      const document = file.xml(part);
      yield { part, document, drawings: inFrames(document.root) };
    }
    return;
  }
  for (const path of file.paths()) {
    const [, folder = '', name = ''] = RELATIONSHIPS.exec(path) ?? [];
    const part = folder + name;
    if (name === '' || !file.has(part) || drawingsOf(file, part).size === 0) continue;
    const document = file.xml(part);
    yield { part, document, drawings: inBlips(file, part, document.root) };
  }
}

/** Returns the paths of the drawings that a part refers to, by relationship id. */
function drawingsOf(file: OfficePackage, part: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { id, type, path } of file.relationships(part).list())
    if (type === 'image' && path !== null && /\.svg$/i.test(path)) found.set(id, path);
  return found;
}

function inBlips(file: OfficePackage, part: string, root: Element): Alone[] {
  const drawings = drawingsOf(file, part);
  return all(root, 'a:blip').flatMap((blip): Alone[] => {
    const id = blip.get('r:embed');
    const path = id === undefined ? undefined : drawings.get(id);
    if (id === undefined || path === undefined) return [];
    const complete = (pixels: string): void => {
      const target = relativeTarget(part, pixels);
      blip.set('r:embed', file.relationships(part).add('image', target));
      const extensions = blip.first('a:extLst') ?? make(blip, 'a:extLst');
      if (extensions.parent === null) blip.append(extensions);
      const drawing = make(extensions, 'asvg:svgBlip', { 'r:embed': id });
      extensions.append(make(extensions, 'a:ext', { uri: SVG_BLIP }, drawing));
    };
    return [{ path, complete }];
  });
}

function inFrames(root: Element): Alone[] {
  return all(root, 'draw:frame').flatMap((frame): Alone[] => {
    const images = frame.elements('draw:image');
    const [drawing] = images;
    const path = drawing?.get('xlink:href');
    if (drawing === undefined || path === undefined || images.length > 1 || !/\.svg$/i.test(path)) return [];
    const complete = (pixels: string): void => {
      const image = copyElement(drawing);
      image.set('xlink:href', pixels);
      frame.insertAfter(drawing, image);
    };
    return [{ path, complete }];
  });
}

/** Stores pixels beside their drawing. @returns their path */
function storePixels(file: OfficePackage, drawing: string, png: Uint8Array): string {
  const path = file.freePath(`${folderOf(drawing)}picture`, 'png');
  file.set(path, png);
  if (file.has(MANIFEST)) file.enlist(path, 'image/png');
  else file.contentTypes().addDefault('png', 'image/png');
  return path;
}
