import { type DocumentFacts, type DocumentText, prepareDocument } from './document.ts';
import { buildFurniture, type Furniture, type FurnitureInput } from './furniture.ts';

/** A document to be made ready for any engine, as it is sent to the thread that does it. */
export interface Composition {
  document: DocumentText;
  /** null: without header and footer. The title is that of the document. */
  furniture: Omit<FurnitureInput, 'title'> | null;
}

export interface Composed extends Furniture {
  html: string;
  facts: DocumentFacts;
}

/** Makes a document and its header and footer ready. What they load is not loaded here. */
export function compose({ document, furniture }: Composition): Composed {
  const { html, facts } = prepareDocument(document);
  const built =
    furniture === null
      ? { header: null, footer: null }
      : buildFurniture({ ...furniture, title: facts.title });
  return { html, facts, ...built };
}
