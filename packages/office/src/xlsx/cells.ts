import { numberIn } from '../calc/typed-text.ts';
import { foreignIn } from '../foreign.ts';
import { Break, onlyValue, pictureOf, PictureValue, RichValue, TypedValue, withBreaks } from '../marks.ts';
import type { HtmlRun } from '../html/model.ts';
import { readRich, readRichParagraphs, type RichRun } from '../rich.ts';
import { make } from '../xml/build.ts';
import { legalText } from '../xml/serialize.ts';
import { all, copyElement, type Element, remove, replace, Text } from '../xml/tree.ts';
import type { CellPicture } from './pictures.ts';
import { fitRowHeight } from './row-height.ts';
import type { CellStyles } from './styles.ts';

/** Sets the type and value of a filled cell. */

/** Most characters of a cell (Excel's specifications). */
const MAX_TEXT = 32_767;

/**
 * @param onCut called when the text is longer than Excel allows, and was cut
 * @returns the pictures that were in the cell
 */
export function finishCell(cell: Element, styles: CellStyles, onCut: () => void): CellPicture[] {
  const pictures: CellPicture[] = [];
  const value = onlyValue(cell);
  for (const node of foreignIn(cell)) {
    if (node instanceof RichValue) {
      const runs = richRunsOf(node);
      for (const { picture } of runs)
        if (picture !== undefined) pictures.push({ value: pictureOf(picture), cell, isOfHtml: true });
      replace(node, ...richElements(runs, node, cell));
      continue;
    } else if (node instanceof Break) {
      replace(node, new Text(node.type === 'tab' ? '\t' : '\n'));
      continue;
    } else if (node instanceof TypedValue && value === undefined) {
      replace(node, new Text(node.text));
      continue;
    } else if (node instanceof PictureValue) pictures.push({ value: node, cell, isOfHtml: false });
    remove(node);
  }
  const text = all(cell, 'x:t')
    .map((leaf) => leaf.textContent())
    .join('');
  const style = Number(cell.get('s') ?? 0);
  const number = value === undefined ? numberIn(text, styles.numberFormat(style)) : null;
  if (value?.type === 'empty') setValue(cell, null, null);
  else if (value !== undefined) setValue(cell, value.value, value.type === 'boolean' ? 'b' : null);
  else if (number !== null) {
    setValue(cell, String(number.isDay ? styles.serial(number.value) : number.value), null);
  } else if (text === '') setValue(cell, null, null);
  else {
    if (cell.source !== null && foreignIn(cell.source).length > 0) finishText(cell, text, onCut);
    if (text.includes('\n')) cell.set('s', String(styles.wrapping(style)));
    const { wraps, fontSize } = styles.lines(Number(cell.get('s') ?? 0));
    if (wraps) fitRowHeight(cell, text, fontSize);
  }
  return pictures;
}

/** Cuts a text that is too long, and escapes what Excel would read as the code of a character. */
function finishText(cell: Element, text: string, onCut: () => void): void {
  if (text.length > MAX_TEXT) onCut();
  else if (!text.includes('_x')) return;
  let left = MAX_TEXT;
  for (const leaf of all(cell, 'x:t')) {
    const part = leaf.textContent().slice(0, left).toWellFormed();
    left -= part.length;
    // ECMA-376, 22.9.2.19
    leaf.replaceChildren(new Text(part.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')));
  }
}

function setValue(cell: Element, value: string | null, type: string | null): void {
  cell.unset('t');
  if (type !== null) cell.set('t', type);
  cell.replaceChildren(...(value === null ? [] : [make(cell, 'x:v', {}, value)]));
}

/** Returns the runs of `{{r }}` in a cell, or of the lines of `{{p }}`. */
function richRunsOf({ json, format }: RichValue): HtmlRun[] {
  const lines = format?.tag === 'x:is' ? readRichParagraphs(json) : [readRich(json)];
  return lines.flatMap((line, i) => (i === 0 ? line : [{ text: '\n' }, ...line]));
}

/** Returns runs with the format of the run they replace. */
function richElements(runs: readonly HtmlRun[], { format }: RichValue, cell: Element): Element[] {
  const model = (format?.tag === 'x:r' ? format : format?.first('x:r'))?.first('x:rPr');
  return runs
    .filter(({ picture }) => picture === undefined)
    .map((run) => {
      const properties = runProperties(run, model, cell);
      const leaf = make(cell, 'x:t', { 'xml:space': 'preserve' }, textOf(run));
      return make(cell, 'x:r', {}, ...(properties.children.length > 0 ? [properties] : []), leaf);
    });
}

/** Returns the text of a run with new lines for all breaks but tabs. */
function textOf(run: HtmlRun): string {
  return withBreaks(run.text)
    .map((piece) => (typeof piece === 'string' ? legalText(piece) : piece.type === 'tab' ? '\t' : '\n'))
    .join('');
}

function runProperties(run: RichRun, model: Element | undefined, near: Element): Element {
  const properties = model ? copyElement(model) : make(near, 'x:rPr');
  const put = (name: string, attributes: Record<string, string> | null): void => {
    const old = properties.first(`x:${name}`);
    if (old) remove(old);
    if (attributes) properties.append(make(near, `x:${name}`, attributes));
  };
  if (run.bold !== undefined) put('b', run.bold ? {} : null);
  if (run.italic !== undefined) put('i', run.italic ? {} : null);
  if (run.strike !== undefined) put('strike', run.strike ? {} : null);
  if (run.underline !== undefined) put('u', run.underline === 'none' ? null : {});
  if (run.superscript === true) put('vertAlign', { val: 'superscript' });
  else if (run.subscript === true) put('vertAlign', { val: 'subscript' });
  if (run.size !== undefined) put('sz', { val: String(run.size) });
  if (run.color !== undefined) put('color', { rgb: `FF${run.color}` });
  if (run.font !== undefined) put('rFont', { val: run.font });
  return properties;
}
