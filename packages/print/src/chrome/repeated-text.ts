import { ContentOperations, type Edit, spliced } from '@platen/pdf/content';
import {
  openPdf,
  type PdfFile,
  readTree,
  isDict,
  isRef,
  type PdfDict,
  type PdfValue,
  type Ref,
} from '@platen/pdf/model';

/**
 * Chromium draws text with shadows or strokes several times, and tags all of it as the text of one element; a background
 * that is clipped to text has that text in its mask. Here all but one drawing become artifacts (ISO 32000-1,
 * 14.8.2.2.1), so that tags have the text once.
 */

/** Maximum distance between two drawings of a text, in sizes of its font: farther ones are several texts. */
const FARTHEST = 4;
/** Maximum levels of forms in a mask that are read. */
const MAX_LEVELS = 8;

/** A text object (`BT` to `ET`). */
interface Drawing {
  start: number;
  /** Position in the flow, and the glyphs: equal for all drawings of a text. */
  key: string;
  /** Whether a glyph of it is read. */
  hasGlyphs: boolean;
  /** Whether its glyphs are outlines of strokes and not those of a font. */
  isOutline: boolean;
  size: number;
  /** The last matrix before it. */
  matrix: readonly number[];
}

/** A marked-content sequence of an element. */
interface Sequence {
  tag: string;
  mcid: number;
  /** The operation that begins it. */
  start: number;
  end: number;
  drawings: Drawing[];
  /** Names of the objects that it shows. */
  objects: string[];
}

/** A stream with tags: its resources, and the elements by marked-content identifier. */
interface Tagged {
  content: Ref;
  dict: PdfDict;
  parents: Ref;
}

/**
 * Returns a printed document with each text once in its tags.
 *
 * @param pdf as Chromium writes it
 */
export async function withSingleText(pdf: Buffer): Promise<Buffer> {
  const file = await openPdf(pdf);
  let hasChanged = false;
  for (const tagged of taggedStreams(file)) hasChanged = repair(file, tagged) || hasChanged;
  // Every PDF is packed before it is sent (decision record 0028).
  return hasChanged ? Buffer.from(await file.save({ pack: false })) : pdf;
}

function taggedStreams(file: PdfFile): Tagged[] {
  const tree = file.dict(file.catalog['/StructTreeRoot']);
  const parents = new Map(readTree(file, tree['/ParentTree'], '/Nums'));
  return file.refs().flatMap((ref) => {
    const dict = file.dict(ref);
    const elements = parents.get(dict['/StructParents'] ?? null);
    const content = dict['/Type'] === '/Page' ? dict['/Contents'] : ref;
    return isRef(elements) && isRef(content) ? [{ content, dict, parents: elements }] : [];
  });
}

/** Returns whether a stream had repeated text. */
function repair(file: PdfFile, { content, dict, parents }: Tagged): boolean {
  const stream = file.streamData(content);
  if (stream === undefined || stream.filters.length > 0) return false;
  const data = Buffer.from(stream.data);
  const elements = file.array(parents).slice();
  const edits: Edit[] = [];
  for (const sequence of sequencesOf(data, outlineFonts(file, dict))) {
    const { tag, mcid, start, end, drawings } = sequence;
    const element = elements[mcid];
    if (!isRef(element)) continue;
    const copies = copiesOf(drawings);
    if (copies.size === 0 && isMaskOfText(file, dict, sequence, element)) {
      edits.push({ start, end, by: ARTIFACT });
      setContent(file, element, mcid, []);
      elements[mcid] = null;
    }
    if (copies.size === 0) continue;
    const added: number[] = [];
    let isCopy = false;
    for (const [index, drawing] of drawings.entries()) {
      if (copies.has(drawing) === isCopy) continue;
      isCopy = !isCopy;
      if (isCopy && index === 0) edits.push({ start, end, by: ARTIFACT });
      else {
        // The identifier of a sequence is free if it began with a copy.
        const isFree = copies.has(drawings[0] ?? drawing) && added.length === 0;
        const next = isFree ? mcid : elements.length;
        if (!isCopy) {
          elements[next] = element;
          added.push(next);
        }
        const begin = isCopy ? ARTIFACT : `/${tag} <</MCID ${next} >>BDC`;
        edits.push({ start: drawing.start, end: drawing.start, by: `EMC\n${begin}\n` });
      }
    }
    setContent(file, element, mcid, added[0] === mcid ? added : [mcid, ...added]);
  }
  if (edits.length === 0) return false;
  const { '/Filter': _filter, '/DecodeParms': _parameters, ...rest } = file.dict(content);
  file.set(content, rest, spliced(data, edits));
  file.set(parents, elements);
  return true;
}

const ARTIFACT = '/Artifact BMC';

/** Names of the fonts whose glyphs are drawn (ISO 32000-1, 9.6.5). */
function outlineFonts(file: PdfFile, dict: PdfDict): Set<string> {
  const fonts = Object.entries(file.dict(file.dict(dict['/Resources'])['/Font']));
  return new Set(fonts.flatMap(([name, font]) => (file.dict(font)['/Subtype'] === '/Type3' ? [name] : [])));
}

/** Returns the sequences of a stream, which Chromium never nests. */
function sequencesOf(bytes: Uint8Array, outlines: ReadonlySet<string>): Sequence[] {
  const found: Sequence[] = [];
  const operations = new ContentOperations(bytes);
  let open: Sequence | null = null;
  let matrix: number[] = [];
  let drawing: Drawing | null = null;
  while (operations.next()) {
    const { operator, start, operatorStart, end } = operations;
    const operands = (): string => operations.bytes.toString('latin1', start, operatorStart).trim();
    switch (operator) {
      case 'BDC': {
        // Marks within text do not belong to elements.
        if (drawing !== null) break;
        const [, tag = '', mcid] = /^\/(\w+) <<\/MCID (\d+) ?>>$/.exec(operands()) ?? [];
        open = mcid === undefined ? null : { tag, mcid: Number(mcid), start, end, drawings: [], objects: [] };
        if (open !== null) found.push(open);
        break;
      }
      case 'BMC':
      case 'EMC':
        if (drawing === null) open = null;
        break;
      case 'Do':
        open?.objects.push(operands());
        break;
      case 'cm':
        matrix = operands().split(/\s+/).map(Number);
        break;
      case 'BT':
        drawing = { start, key: '', isOutline: false, size: 0, matrix, hasGlyphs: false };
        break;
      case 'ET':
        if (drawing !== null) open?.drawings.push(drawing);
        drawing = null;
        break;
      case 'Tf': {
        const [name = '', size] = operands().split(/\s+/);
        if (drawing !== null) Object.assign(drawing, { isOutline: outlines.has(name), size: Number(size) });
        break;
      }
      case 'Tm':
      case 'Td':
        if (drawing !== null && !drawing.hasGlyphs) drawing.key += `${operands()} `;
        break;
      case 'Tj':
        if (drawing === null) break;
        drawing.hasGlyphs = true;
        drawing.key += codesOf(operands(), drawing.isOutline);
        break;
      default:
    }
  }
  return found;
}

/** Returns the codes of glyphs as fonts with drawn glyphs have them, for which Skia divides a font into parts of 255. */
function codesOf(written: string, isOutline: boolean): string {
  const bytes = bytesOf(written);
  if (isOutline) return bytes.toString('hex');
  const codes = new Uint8Array(bytes.length >> 1);
  for (const index of codes.keys()) codes[index] = ((bytes.readUInt16BE(2 * index) + 254) % 255) + 1;
  return Buffer.from(codes).toString('hex');
}

/** Returns the bytes of a string (ISO 32000-1, 7.3.4). */
function bytesOf(written: string): Buffer {
  const text = written.slice(1, -1);
  if (written.startsWith('<')) return Buffer.from(text, 'hex');
  const unescaped = text.replace(/\\(?:([0-7]{1,3})|([^]))/g, (_, octal: string | undefined, other = '') =>
    octal === undefined ? String(other) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(unescaped, 'latin1');
}

/**
 * Returns the drawings that repeat others. A text of several fonts has one drawing for each, and all of them are repeated
 * together.
 */
function copiesOf(drawings: readonly Drawing[]): Set<Drawing> {
  const copies = new Set<Drawing>();
  let group: Drawing[] = [];
  const places = new Map<string, number>();
  const flush = (): void => {
    const period = places.size;
    const isPeriodic = group.every((drawing, index) => isSame(drawing, group[index % period]));
    const passes = Array.from({ length: group.length / period }, (_, pass) =>
      group.slice(pass * period, (pass + 1) * period),
    );
    // Strokes are drawn after the text, or before it.
    const kept = passes.findLast((pass) => !pass.some(({ isOutline }) => isOutline)) ?? passes.at(-1);
    if (isPeriodic && group.length % period === 0)
      for (const pass of passes) if (pass !== kept) for (const drawing of pass) copies.add(drawing);
    group = [];
    places.clear();
  };
  for (const drawing of drawings) {
    const before = places.get(drawing.key);
    if (before === undefined && group.length > places.size) flush();
    if (before !== undefined && before > 0 && group.length === places.size) {
      // What came before is drawn once.
      group = group.slice(before);
      places.clear();
      for (const [index, { key }] of group.entries()) places.set(key, index);
    }
    if (!places.has(drawing.key)) places.set(drawing.key, group.length);
    group.push(drawing);
  }
  if (group.length > 0) flush();
  return copies;
}

function isSame(one: Drawing, other: Drawing | undefined): boolean {
  if (other === undefined || one.key !== other.key) return false;
  const [scale = 1, , , , x = 0, y = 0] = one.matrix;
  const [, , , , otherX = 0, otherY = 0] = other.matrix;
  return Math.hypot(x - otherX, y - otherY) <= FARTHEST * one.size * Math.abs(scale);
}

/** Returns whether a sequence only shows the background of an element, clipped to text that it contains. */
function isMaskOfText(file: PdfFile, dict: PdfDict, { drawings, objects }: Sequence, element: Ref): boolean {
  if (drawings.length > 0 || objects.length === 0) return false;
  const { '/S': type, '/K': kids } = file.dict(element);
  if (type === '/Figure' || !file.items(kids).some((kid) => file.dict(kid)['/S'] !== undefined)) return false;
  const shown = file.dict(file.dict(dict['/Resources'])['/XObject']);
  return objects.every((name) => {
    const states = file.dict(file.dict(file.dict(shown[name])['/Resources'])['/ExtGState']);
    return Object.values(states).some((state) =>
      showsText(file, file.dict(file.dict(state)['/SMask'])['/G'], MAX_LEVELS),
    );
  });
}

function showsText(file: PdfFile, form: PdfValue | undefined, levels: number): boolean {
  const resources = file.dict(file.dict(form)['/Resources']);
  if (Object.keys(file.dict(resources['/Font'])).length > 0) return true;
  const inner = Object.values(file.dict(resources['/XObject']));
  return levels > 0 && inner.some((object) => showsText(file, object, levels - 1));
}

/** Replaces one identifier among the content of an element by others. */
function setContent(file: PdfFile, element: Ref, mcid: number, by: readonly number[]): void {
  const dict = file.dict(element);
  const kids = file.items(dict['/K']).flatMap((kid): PdfValue[] => {
    if (kid === mcid) return [...by];
    const content = file.resolve(kid);
    if (!isDict(content) || content['/MCID'] !== mcid || content['/Type'] !== '/MCR') return [kid];
    return by.map((number) => ({ ...content, '/MCID': number }));
  });
  file.set(element, { ...dict, '/K': kids });
}
