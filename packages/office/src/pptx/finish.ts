import { finishDrawingText } from '../drawing/finish.ts';
import { applyDrawingCellRequests, fitDrawingGrid } from '../drawing/tables.ts';
import { bindLinks } from '../ooxml/links.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { SlideFlows } from './flow.ts';
import { SlidePictures } from './pictures.ts';

/** Turns a filled part into valid PresentationML. */
export function finishPptx(
  root: Element,
  path: string,
  file: OfficePackage,
  registry: PictureRegistry,
): void {
  const pictures = new SlidePictures(file, path, registry);
  const flows = new SlideFlows(file, path, registry, pictures);
  bindLinks(root, path, file);
  applyDrawingCellRequests(root);
  flows.divide(root);
  finishDrawingText(root, path, file, (value, leaf) => pictures.show(value, leaf));
  for (const table of all(root, 'a:tbl')) {
    fitDrawingGrid(table);
    uniqueRowIds(table);
  }
  dropEmptyTables(root);
  flows.arrange();
  pictures.finish(root);
}

function dropEmptyTables(root: Element): void {
  for (const frame of all(root, 'p:graphicFrame')) {
    const [table] = all(frame, 'a:tbl');
    if (table && !table.first('a:tr')) remove(frame);
  }
}

/** Renumbers copied rows and columns, which PowerPoint 2016 identifies by number. */
function uniqueRowIds(table: Element): void {
  const seen = new Set<string>();
  for (const id of all(table, 'a16:rowId', 'a16:colId')) {
    const value = `${id.tag} ${id.get('val') ?? ''}`;
    const list = id.parent?.parent;
    if (seen.has(value) && list?.tag === 'a:extLst') remove(list);
    seen.add(value);
  }
}
