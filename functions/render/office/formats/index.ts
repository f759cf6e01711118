import type { OfficeFormat } from '../../../shared/formats/office.ts';
import type { Decoded } from '../decode.ts';
import { finishOdsCells, followRows, rememberRows } from '../calc/ods.ts';
import { chartsOf, dropCopiedCells } from '../calc/ods-charts.ts';
import { finishDocx } from '../docx/finish.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { finishOdf } from '../odf/finish.ts';
import { namePages } from '../odf/pages.ts';
import { expandRepeated } from '../odf/tables.ts';
import { groupFilled, type Plan, type UnitFormat } from '../plan.ts';
import { finishPptx } from '../pptx/finish.ts';
import { hasTag } from '../program.ts';
import type { TemplatePart } from '../template.ts';
import { finishXlsx, namePath } from '../xlsx/finish.ts';
import { forgetPoints } from '../xlsx/charts.ts';
import { prepareSheet, stringsMayHoldTags } from '../xlsx/prepare.ts';
import { sheetEntries } from '../xlsx/workbook.ts';
import { Element } from '../xml/tree.ts';
import { arrangeSlides, slidePaths } from '../pptx/slides.ts';

/** What each format does with what it is not alike in. */

/** A document whose template has run. */
export interface Finishing {
  file: OfficePackage;
  plan: Plan;
  decoded: Decoded;
  registry: PictureRegistry;
  /** Charts outside of a workbook that show its cells. */
  charts: readonly Element[];
}

/** Writes the filled parts into the package. */
export const finishers: Readonly<Record<OfficeFormat, (finishing: Finishing) => void>> = {
  docx: finishParts(finishDocx),
  pptx: finishSlides,
  xlsx: finishXlsx,
  odt: finishParts((root, _path, file, registry) => finishOdf(root, 'odt', file, registry)),
  ods: (finishing) => {
    const { file, plan, decoded } = finishing;
    const charts = chartsOf(file, plan, decoded);
    finishParts((root, path, _file, registry) => {
      finishOdsCells(root, file);
      finishOdf(root, 'ods', file, registry);
      if (path !== 'content.xml') return;
      followRows(
        root,
        Array.from(charts.values(), (chart) => chart.root),
        decoded.scopes,
      );
      for (const [chart, document] of charts) file.setXml(chart, document);
    })(finishing);
  },
  odp: finishParts((root, _path, file, registry) => finishOdf(root, 'odp', file, registry)),
};

/** The slides or sheets of a format where they are parts of their own. */
export function unitsOf(file: OfficePackage, format: OfficeFormat): UnitFormat | null {
  if (format === 'pptx') return { mains: slidePaths(file), level: 'slide' };
  if (format !== 'xlsx') return null;
  const entries = sheetEntries(file);
  return {
    mains: entries.map(({ path }) => path),
    level: 'sheet',
    mayHoldTags: stringsMayHoldTags(file),
    prepare: (root, path) => {
      prepareSheet(root, path, file);
      forgetPoints(root);
    },
    extra: (main) => sheetName(main, entries.find(({ path }) => path === main)?.name ?? ''),
  };
}

/** The name of a sheet, as something to be filled along with it; null where it holds no tag. */
function sheetName(main: string, name: string): TemplatePart | null {
  if (!hasTag(name)) return null;
  const root = new Element('name', 'name', [{ name: 'name', tag: 'name', value: name }]);
  return { path: namePath(main), prolog: '', root };
}

/** Changes every part before its tags are looked for. */
export function preparing(format: OfficeFormat): ((root: Element) => void) | undefined {
  if (!format.startsWith('od')) return undefined;
  return (root) => {
    expandRepeated(root);
    if (format === 'ods') {
      rememberRows(root);
      dropCopiedCells(root);
    }
    if (format === 'odp') namePages(root);
  };
}

function finishParts(finish: typeof finishDocx): (finishing: Finishing) => void {
  return ({ file, plan, decoded, registry }) => {
    for (const { number, root } of decoded.parts) {
      const part = plan.parts[number];
      if (part === undefined) continue;
      finish(root, part.path, file, registry);
      file.setXml(part.path, { prolog: part.prolog, root });
    }
  };
}

function finishSlides({ file, plan, decoded, registry }: Finishing): void {
  const { common, instances } = groupFilled(plan, decoded.parts);
  for (const { part, root } of common) {
    finishPptx(root, part.path, file, registry);
    file.setXml(part.path, { prolog: part.prolog, root });
  }
  const order = instances.map(({ unit }) => unit);
  const names = plan.repeats ? arrangeSlides(file, order) : [];
  instances.forEach(({ parts }, i) => {
    for (const { part, root } of parts) {
      const path = names[i]?.get(part.path) ?? part.path;
      finishPptx(root, path, file, registry);
      file.setXml(path, { prolog: part.prolog, root });
    }
  });
}
