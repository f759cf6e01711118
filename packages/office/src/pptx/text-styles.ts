import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { aboveSlide, inherited } from './boxes.ts';

/** The text formatting of shapes, as far as it is needed to measure text. */

/** Default font size in points (ECMA-376, 21.1.2.3.9). */
const SIZE = 18;
/** Default inset in EMU (21.1.2.1.1). */
const BESIDE = 91_440;
const AROUND = 45_720;
const TITLES: ReadonlySet<string | undefined> = new Set(['title', 'ctrTitle']);

/** Returns the insets of a shape around its text in EMU. `around`: top and bottom together. */
export function insetsOf(shape: Element): { left: number; right: number; around: number } {
  const properties = shape.first('p:txBody')?.first('a:bodyPr');
  const inset = (name: string, usual: number): number => Number(properties?.get(name) ?? usual) || 0;
  return {
    left: inset('lIns', BESIDE),
    right: inset('rIns', BESIDE),
    around: inset('tIns', AROUND) + inset('bIns', AROUND),
  };
}

/** Returns the font size of a shape's text in points. */
export function textSizeOf(file: OfficePackage, part: string, shape: Element): number {
  const [placeholder] = all(shape, 'p:ph');
  const styles = [shape, ...inherited(file, part, shape)].flatMap((one) => all(one, 'a:lstStyle'));
  const ofMaster = placeholder === undefined ? [] : masterStyles(file, part, placeholder);
  const sizes = [
    ...all(shape, 'a:rPr').map((one) => one.get('sz')),
    ...[...styles, ...ofMaster].map((style) => style.first('a:lvl1pPr')?.first('a:defRPr')?.get('sz')),
  ];
  const size = Number(sizes.find((one) => one !== undefined)) / 100;
  return size > 0 ? size : SIZE;
}

function masterStyles(file: OfficePackage, part: string, placeholder: Element): Element[] {
  const tag = TITLES.has(placeholder.get('type')) ? 'p:titleStyle' : 'p:bodyStyle';
  return aboveSlide(file, part).flatMap((root) => all(root, tag));
}

/** Returns the presentation's style for new tables; null when it has none. */
export function tableStyleOf(file: OfficePackage): string | null {
  const path = relatedPart(file, 'tableStyles');
  return path === undefined ? null : (file.xml(path).root.get('def') ?? null);
}
