import type { Element } from '../xml/tree.ts';

/** The order of properties in WordprocessingML. */

/** Properties of runs (ECMA-376, 17.3.2, EG_RPrBase). */
export const RUN_ORDER =
  'rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl cs em lang eastAsianLayout specVanish oMath'.split(
    ' ',
  );
/** Properties of paragraphs (ECMA-376, 17.3.1.26). */
export const PARAGRAPH_ORDER =
  'pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi adjustRightInd snapToGrid spacing ind contextualSpacing mirrorIndents suppressOverlap jc textDirection textAlignment textboxTightWrap outlineLvl divId cnfStyle rPr sectPr pPrChange'.split(
    ' ',
  );

/** Inserts a child at the place that its parent's schema requires. */
export function insertInOrder(parent: Element, child: Element, order: readonly string[]): void {
  const rank = order.indexOf(child.tag.slice(2));
  const next = parent.elements().find((other) => order.indexOf(other.tag.slice(2)) > rank);
  parent.insertBefore(next ?? null, child);
}
