import { splitParagraph } from '../docx/inline.ts';
import type { HtmlRun } from '../html/model.ts';
import { Break, pictureOf, PictureValue, type RichValue, withBreaks } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { readRich } from '../rich.ts';
import { make } from '../xml/build.ts';
import { legalText } from '../xml/serialize.ts';
import { copyElement, type Element, type Node, remove, replace, shallowCopy, Text } from '../xml/tree.ts';

/** DrawingML text: shapes of slides and sheets, titles of charts, diagrams. */

/** Resolves everything in an `a:t` that is not text. `show` places the pictures. */
export function resolveDrawingLeaf(leaf: Element, show: (value: PictureValue, leaf: Element) => void): void {
  if (!leaf.children.some((child) => child.kind === 'foreign')) return;
  const run = leaf.parent;
  if (run === null) return;
  const nodes: Node[] = [];
  for (const child of leaf.children.slice()) {
    if (child.kind === 'text') nodes.push(runWith(run, leaf, child.text));
    else if (child instanceof Break) nodes.push(breakFor(child, run, leaf));
    else if (child instanceof PictureValue) show(child, leaf);
  }
  if (nodes.length === 0) {
    leaf.replaceChildren();
    return;
  }
  replace(run, ...nodes);
  for (const node of nodes) if (node instanceof Break) splitParagraph(node, 'a:p', ['a:pPr']);
}

function runWith(run: Element, leaf: Element, text: string): Element {
  const copy = shallowCopy(run);
  for (const child of run.elements()) {
    if (child !== leaf) copy.append(copyElement(child));
    else {
      const own = shallowCopy(leaf);
      own.append(new Text(text));
      copy.append(own);
    }
  }
  return copy;
}

function breakFor(mark: Break, run: Element, leaf: Element): Node {
  if (mark.type === 'tab') return runWith(run, leaf, '\t');
  if (mark.type === 'paragraph') return mark;
  const properties = run.first('a:rPr');
  return make(run.parent ?? run, 'a:br', {}, ...(properties ? [copyElement(properties)] : []));
}

/** Returns rich text as runs with the format of the run they replace. */
export function richDrawingRuns(value: RichValue, file: OfficePackage, part: string): Node[] {
  const near = value.parent;
  if (near === null) return [];
  const model = value.format?.tag === 'a:p' ? value.format.first('a:r') : value.format;
  const runs = readRich(value.json).map((run) => richRun(run, model ?? null, near, file, part));
  return value.format?.tag === 'a:p' ? [make(near, 'a:p', {}, ...runs)] : runs;
}

/** Returns a run with the format of another one; `resolveDrawingLeaf` handles pictures. */
export function richRun(
  run: HtmlRun,
  model: Element | null,
  near: Element,
  file: OfficePackage,
  part: string,
): Element {
  const old = model?.first('a:rPr');
  const properties = old ? copyElement(old) : make(near, 'a:rPr');
  if (run.bold !== undefined) properties.set('b', run.bold ? '1' : '0');
  if (run.italic !== undefined) properties.set('i', run.italic ? '1' : '0');
  if (run.strike !== undefined) properties.set('strike', run.strike ? 'sngStrike' : 'noStrike');
  if (run.underline !== undefined) properties.set('u', run.underline === 'none' ? 'none' : 'sng');
  if (run.size !== undefined) properties.set('sz', String(Math.round(run.size * 100)));
  if (run.superscript === true) properties.set('baseline', '30000');
  else if (run.subscript === true) properties.set('baseline', '-25000');
  if (run.color !== undefined)
    put(properties, make(near, 'a:solidFill', {}, make(near, 'a:srgbClr', { val: run.color })));
  if (run.highlight !== undefined) {
    put(properties, make(near, 'a:highlight', {}, make(near, 'a:srgbClr', { val: run.highlight })));
  }
  if (run.font !== undefined) put(properties, make(near, 'a:latin', { typeface: run.font }));
  if (run.url !== undefined) {
    const id = file.relationships(part).add('hyperlink', legalText(run.url), true);
    put(properties, make(near, 'a:hlinkClick', { 'r:id': id }));
  }
  const leaf = make(near, 'a:t');
  if (run.picture !== undefined) leaf.append(pictureOf(run.picture));
  for (const piece of withBreaks(run.text))
    leaf.append(typeof piece === 'string' ? new Text(legalText(piece)) : piece);
  return make(near, 'a:r', {}, properties, leaf);
}

/** Order of run properties (ECMA-376, 21.1.2.3.9). */
const ORDER = [
  'ln',
  'noFill',
  'solidFill',
  'effectLst',
  'highlight',
  'uLnTx',
  'uFillTx',
  'latin',
  'ea',
  'cs',
  'sym',
  'hlinkClick',
];

function put(properties: Element, child: Element): void {
  const old = properties.first(child.tag);
  if (old) remove(old);
  const rank = ORDER.indexOf(child.tag.slice(2));
  const next = properties.elements().find((other) => ORDER.indexOf(other.tag.slice(2)) > rank);
  properties.insertBefore(next ?? null, child);
}
