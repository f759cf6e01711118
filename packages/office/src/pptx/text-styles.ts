import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { aboveSlide, inherited } from './boxes.ts';

/** What a presentation says of how the text of a shape looks, as far as it is needed to measure it. */

/** Points, where nothing is said (ECMA-376, 21.1.2.3.9). */
const SIZE = 18;
/** EMU, likewise (21.1.2.1.1). */
const BESIDE = 91_440;
const AROUND = 45_720;
const TITLES: ReadonlySet<string | undefined> = new Set(['title', 'ctrTitle']);

/** The edges of a shape around its text, EMU. `around`: above and below together. */
export function insetsOf(shape: Element): { left: number; right: number; around: number } {
  const properties = shape.first('p:txBody')?.first('a:bodyPr');
  const inset = (name: string, usual: number): number => Number(properties?.get(name) ?? usual) || 0;
  return {
    left: inset('lIns', BESIDE),
    right: inset('rIns', BESIDE),
    around: inset('tIns', AROUND) + inset('bIns', AROUND),
  };
}

/** The size of a shape's text, points. */
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

/** The style that the presentation gives to new tables; null where it has none. */
export function tableStyleOf(file: OfficePackage): string | null {
  const path = 'ppt/tableStyles.xml';
  return file.has(path) ? (file.xml(path).root.get('def') ?? null) : null;
}
