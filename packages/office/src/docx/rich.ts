import type { HtmlRun } from '../html/model.ts';
import { pictureOf, RichValue, SubdocumentValue, withBreaks } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { readRich, readRichParagraphs, type RichRun } from '../rich.ts';
import { make } from '../xml/build.ts';
import { insertInOrder, RUN_ORDER } from './order.ts';
import { legalText } from '../xml/serialize.ts';
import {
  copyElement,
  type Element,
  type Foreign,
  type Node,
  remove,
  shallowCopy,
  Text,
} from '../xml/tree.ts';

/** Rich text in Word: runs with the format of the run they replace, plus their own changes. */

export function richRuns(
  value: RichValue,
  format: Element | null,
  file: OfficePackage,
  part: string,
): Node[] {
  const near = value.parent ?? format;
  return near === null ? [] : runNodes(readRich(value.json), format, near, file, part);
}

export function richParagraphs(value: RichValue, format: Element, file: OfficePackage, part: string): Node[] {
  const model = format.elements('w:r')[0] ?? null;
  const near = value.parent ?? format;
  return readRichParagraphs(value.json).map((runs) => {
    const paragraph = shallowCopy(format);
    paragraph.parent = near;
    const properties = format.first('w:pPr');
    if (properties) paragraph.append(copyElement(properties));
    paragraph.append(...runNodes(runs, model, near, file, part));
    paragraph.parent = null;
    return paragraph;
  });
}

/** Returns the reference of the document that a value stands for; null for any other value. */
export function subdocumentOf(value: Foreign): string | null {
  if (value instanceof SubdocumentValue) return value.reference;
  if (!(value instanceof RichValue) || !value.json.startsWith('{"subdocument":')) return null;
  const { subdocument } = JSON.parse(value.json) as { subdocument?: unknown };
  return typeof subdocument === 'string' ? subdocument : null;
}

export function runNodes(
  runs: readonly HtmlRun[],
  format: Element | null,
  near: Element,
  file: OfficePackage,
  part: string,
): Node[] {
  return runs.map((run) => {
    const element = runElement(run, format, near);
    if (run.url === undefined) return element;
    const id = file.relationships(part).add('hyperlink', legalText(run.url), true);
    return make(near, 'w:hyperlink', { 'r:id': id, 'w:history': 1 }, element);
  });
}

function runElement(run: HtmlRun, format: Element | null, near: Element): Element {
  const element = make(near, 'w:r');
  const model = format?.first('w:rPr');
  const properties = model ? copyElement(model) : make(near, 'w:rPr');
  element.append(properties);
  for (const [name, attributes] of changes(run)) setProperty(properties, name, attributes, near);
  if (properties.children.length === 0) remove(properties);
  // Breaks and pictures are resolved later, together with those of other leaves.
  const leaf = make(near, 'w:t', { 'xml:space': 'preserve' });
  element.append(leaf);
  if (run.picture !== undefined) leaf.append(pictureOf(run.picture));
  for (const piece of withBreaks(run.text))
    leaf.append(typeof piece === 'string' ? new Text(legalText(piece)) : piece);
  return element;
}

type Change = [name: string, attributes: Record<string, string>];

function changes(run: RichRun): Change[] {
  const list: Change[] = [];
  const toggle = (name: string, on: boolean | undefined): void => {
    if (on !== undefined) list.push([name, on ? {} : { 'w:val': '0' }]);
  };
  if (run.style !== undefined) list.push(['w:rStyle', { 'w:val': run.style }]);
  if (run.font !== undefined) {
    const { font } = run;
    list.push(['w:rFonts', { 'w:ascii': font, 'w:hAnsi': font, 'w:eastAsia': font, 'w:cs': font }]);
  }
  toggle('w:b', run.bold);
  toggle('w:i', run.italic);
  toggle('w:strike', run.strike);
  if (run.color !== undefined) list.push(['w:color', { 'w:val': run.color }]);
  if (run.size !== undefined) {
    const half = String(Math.round(run.size * 2));
    list.push(['w:sz', { 'w:val': half }], ['w:szCs', { 'w:val': half }]);
  }
  if (run.underline !== undefined) list.push(['w:u', { 'w:val': run.underline }]);
  if (run.highlight !== undefined) {
    list.push(['w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': run.highlight }]);
  }
  if (run.superscript === true) list.push(['w:vertAlign', { 'w:val': 'superscript' }]);
  else if (run.subscript === true) list.push(['w:vertAlign', { 'w:val': 'subscript' }]);
  return list;
}

function setProperty(
  properties: Element,
  tag: string,
  attributes: Record<string, string>,
  near: Element,
): void {
  const old = properties.first(tag);
  if (old) remove(old);
  insertInOrder(properties, make(near, tag, attributes), RUN_ORDER);
}
