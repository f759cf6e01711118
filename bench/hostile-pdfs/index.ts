import { DRAWINGS } from './drawings.ts';
import { OBJECTS } from './objects.ts';
import { PAGES } from './pages.ts';
import { PICTURES } from './pictures.ts';
import { TREES } from './trees.ts';
import { XML } from './xml.ts';

/** Small PDFs that are expensive to process, or break rules of the format: by class, then by their fault. */
export const HOSTILE_CLASSES: Readonly<Record<string, Readonly<Record<string, () => Buffer>>>> = {
  pages: PAGES,
  drawings: DRAWINGS,
  pictures: PICTURES,
  objects: OBJECTS,
  trees: TREES,
  xml: XML,
};
