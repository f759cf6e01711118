import { charactersIn, drawingTable, lineHeight } from '../drawing/html-table.ts';
import { richRun } from '../drawing/inline.ts';
import { foreignIn } from '../foreign.ts';
import { type HtmlPicture, type HtmlPiece, joined, piecesOf } from '../html/model.ts';
import { pictureOf, RichValue } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { readHtmlBlocks } from '../rich.ts';
import { linesIn } from '../text-width.ts';
import { make } from '../xml/build.ts';
import {
  all,
  closest,
  copyElement,
  type Element,
  Foreign,
  type Node,
  remove,
  replace,
  shallowCopy,
} from '../xml/tree.ts';
import { type Box, PER_CM, shapeBox } from './boxes.ts';
import { takeNumber } from './numbers.ts';
import type { SlidePictures } from './pictures.ts';
import { insetsOf, tableStyleOf, textSizeOf } from './text-styles.ts';

/**
 * Tables and pictures of HTML in the text of shapes. Text on a slide does not flow around them: the text
 * before them stays in the shape, they are placed below it, and the text after them goes into another shape
 * below. Together they fill the place of the original shape.
 */

const SHAPE: ReadonlySet<string> = new Set(['p:sp']);
/** Gap between parts in EMU. */
const GAP = 0.2 * PER_CM;
const TABLE_URI = 'http://schemas.openxmlformats.org/drawingml/2006/table';

type Block = Extract<HtmlPiece, { type: 'table' | 'picture' }>;

/** A table or a picture between texts. */
class SlideBlock extends Foreign {
  readonly block: Block;
  /** The run whose format the text takes. */
  readonly model: Element | null;

  constructor(block: Block, model: Element | null) {
    super();
    this.block = block;
    this.model = model;
  }

  copy(): SlideBlock {
    return new SlideBlock(this.block, this.model);
  }
}

/** The parts of a divided shape from top to bottom: shapes with text, tables and pictures. */
interface Flow {
  box: Box;
  /** Default font size in points. */
  size: number;
  /** `height`: EMU; null for text, which is measured when it is complete. */
  parts: { element: Element; height: number | null }[];
}

export class SlideFlows {
  readonly #file: OfficePackage;
  readonly #part: string;
  readonly #registry: PictureRegistry;
  readonly #pictures: SlidePictures;
  readonly #flows: Flow[] = [];

  constructor(file: OfficePackage, part: string, registry: PictureRegistry, pictures: SlidePictures) {
    this.#file = file;
    this.#part = part;
    this.#registry = registry;
    this.#pictures = pictures;
  }

  /** Divides the shapes that contain tables or pictures of HTML. Has to run before text is resolved. */
  divide(root: Element): void {
    const shapes = new Set<Element>();
    for (const value of foreignIn(root)) {
      const shape = closest(value.parent, SHAPE);
      if (shape !== null && value instanceof RichValue && this.#resolve(value)) shapes.add(shape);
    }
    for (const shape of shapes) this.#divideShape(shape);
  }

  /** Arranges the parts of divided shapes from top to bottom. Has to run when their text is complete. */
  arrange(): void {
    for (const { box, size, parts } of this.#flows) {
      let { y } = box;
      for (const { element, height } of parts) {
        const own = height ?? textHeight(element, box, size);
        if (height === null) giveBox(element, { ...box, y, cy: own });
        else {
          all(element, 'a:off')[0]?.set('y', String(Math.round(y)));
          this.#pictures.moveAlong(element, y - box.y);
        }
        y += own + GAP;
      }
    }
  }

  /** Replaces HTML by runs and blocks. @returns whether there are any blocks */
  #resolve(value: RichValue): boolean {
    const { format, parent: near } = value;
    const pieces = piecesOf(readHtmlBlocks(value.json) ?? []);
    if (near === null || pieces.every(({ type }) => type === 'lines')) return false;
    const isParagraph = format?.tag === 'a:p';
    const model = (isParagraph ? format.first('a:r') : format) ?? null;
    const nodes = pieces.flatMap((piece): Node[] => {
      if (piece.type !== 'lines') return [new SlideBlock(piece, model)];
      return joined(piece.lines).map((run) => richRun(run, model, near, this.#file, this.#part));
    });
    replace(value, ...(isParagraph ? [make(near, 'a:p', {}, ...nodes)] : nodes));
    return true;
  }

  #divideShape(shape: Element): void {
    const [body, owner] = [shape.first('p:txBody'), shape.parent];
    if (body === undefined || owner === null) return;
    const content = body.elements('a:p').flatMap(dividedParagraph);
    body.replaceChildren(...body.elements().filter(({ tag }) => tag !== 'a:p'));
    const flow: Flow = {
      box: shapeBox(this.#file, this.#part, shape),
      size: textSizeOf(this.#file, this.#part, shape),
      parts: [],
    };
    const blank = copyElement(shape);
    const isAlone = content.length === 1;
    let isTaken = false;
    let last: Element | null = null;
    for (const node of content) {
      if (node instanceof SlideBlock) {
        const made = this.#block(node, shape, flow, isAlone);
        if (made !== null) flow.parts.push(made);
        last = null;
        continue;
      }
      if (last === null) {
        last = isTaken ? copyElement(blank) : shape;
        if (isTaken) last.first('p:nvSpPr')?.first('p:cNvPr')?.set('id', '');
        isTaken = true;
        flow.parts.push({ element: last, height: null });
      }
      last.first('p:txBody')?.append(node);
    }
    owner.insertAfter(shape, ...flow.parts.map(({ element }) => element).filter((one) => one !== shape));
    if (!isTaken) this.#giveUp(shape, flow);
    this.#flows.push(flow);
  }

  /** Removes a shape whose first part takes its place. */
  #giveUp(shape: Element, { parts: [first] }: Flow): void {
    if (first !== undefined) takeNumber(shape, first.element);
    remove(shape);
  }

  #block(
    { block, model }: SlideBlock,
    shape: Element,
    { box }: Flow,
    isAlone: boolean,
  ): Flow['parts'][number] | null {
    const { left, right } = isAlone ? { left: 0, right: 0 } : insetsOf(shape);
    const [x, width] = [box.x + left, Math.max(PER_CM, box.cx - left - right)];
    const near = shape.parent ?? shape;
    if (block.type === 'table') {
      const [file, part, style] = [this.#file, this.#part, tableStyleOf(this.#file)];
      const pictureHeight = (picture: HtmlPicture, within: number): number => {
        const room = { width: within / PER_CM, height: box.cy / PER_CM };
        return (this.#registry.place(pictureOf(picture), room)?.height ?? 0) * PER_CM;
      };
      const place = { file, part, near, model, width, style, pictureHeight };
      const { element, height } = drawingTable(block, place);
      return { element: frame(element, { x, y: box.y, cx: width, cy: height }, near), height };
    }
    const room = { width: width / PER_CM, height: box.cy / PER_CM };
    const picture = this.#registry.place(pictureOf(block.picture), room);
    if (picture === null) return null;
    const free = width - picture.width * PER_CM;
    const shift = block.align === 'center' ? free / 2 : block.align === 'right' ? free : 0;
    const at = { x: Math.round(x + Math.max(0, shift)), y: box.y };
    return { element: this.#pictures.pictureAt(at, picture, near), height: picture.height * PER_CM };
  }
}

/** Returns the paragraphs before, between and after the blocks, without empty ones. */
function dividedParagraph(paragraph: Element): (Element | SlideBlock)[] {
  const { children } = paragraph;
  if (!children.some((child) => child instanceof SlideBlock)) return [paragraph];
  const properties = paragraph.first('a:pPr');
  const divided: (Element | SlideBlock)[] = [];
  let open: Node[] = [];
  const end = (): void => {
    if (open.some((node) => node.kind === 'element' && (node.tag === 'a:r' || node.tag === 'a:fld'))) {
      const copy = shallowCopy(paragraph);
      copy.parent = paragraph.parent;
      copy.append(...(properties ? [copyElement(properties)] : []), ...open);
      divided.push(copy);
    }
    open = [];
  };
  for (const child of children) {
    if (child instanceof SlideBlock) {
      end();
      divided.push(child);
    } else if (child !== properties) open.push(child);
  }
  end();
  return divided;
}

function frame(table: Element, { x, y, cx, cy }: Box, near: Element): Element {
  const locks = make(near, 'a:graphicFrameLocks', { noGrp: 1 });
  return make(
    near,
    'p:graphicFrame',
    {},
    make(
      near,
      'p:nvGraphicFramePr',
      {},
      make(near, 'p:cNvPr', { id: '', name: 'Table' }),
      make(near, 'p:cNvGraphicFramePr', {}, locks),
      make(near, 'p:nvPr'),
    ),
    make(
      near,
      'p:xfrm',
      {},
      make(near, 'a:off', { x, y }),
      make(near, 'a:ext', { cx: Math.round(cx), cy: Math.round(cy) }),
    ),
    make(near, 'a:graphic', {}, make(near, 'a:graphicData', { uri: TABLE_URI }, table)),
  );
}

/** Gives a text shape its own position, with its text at the top. */
function giveBox(shape: Element, { x, y, cx, cy }: Box): void {
  const properties = shape.first('p:spPr');
  if (properties === undefined) return;
  let xfrm = properties.first('a:xfrm');
  if (xfrm === undefined) {
    xfrm = make(properties, 'a:xfrm');
    properties.insertBefore(properties.children[0] ?? null, xfrm);
  }
  const whole = [x, y, cx, cy].map(Math.round);
  xfrm.replaceChildren(
    make(xfrm, 'a:off', { x: whole[0], y: whole[1] }),
    make(xfrm, 'a:ext', { cx: whole[2], cy: whole[3] }),
  );
  shape.first('p:txBody')?.first('a:bodyPr')?.set('anchor', 't');
}

/** Returns the approximate height of a shape's text including its insets, in EMU. */
function textHeight(shape: Element, { cx }: Box, size: number): number {
  const { left, right, around } = insetsOf(shape);
  const heights = all(shape, 'a:p').map((paragraph) => {
    const sizes = all(paragraph, 'a:rPr').map((one) => Number(one.get('sz') ?? size * 100) / 100);
    const own = sizes.length === 0 ? size : sizes.reduce((most, one) => Math.max(most, one), 0);
    const text = paragraph
      .elements()
      .map((child) => (child.tag === 'a:br' ? '\n' : child.textContent()))
      .join('');
    return linesIn(text, charactersIn(cx - left - right, own)) * lineHeight(own);
  });
  return heights.reduce((sum, height) => sum + height, around);
}
