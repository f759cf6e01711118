import { PlatenError } from '@platen/core/errors';
import { FIELD_MARKS, type DocumentReading } from '@platen/print';
import { DocumentFaults } from '../faults.ts';
import { composed } from './compose.ts';
import { fillTemplate, type HtmlRendering } from './fill.ts';

/** Word processor documents made from html templates. */

/**
 * Fills an html template and converts it to docx: the browser lays it out, and its layout is written as a document.
 *
 * @param record text of a JSON object
 * @throws PlatenError as `Filler.fill`, `Preparer.compose`, `ReadingSession.read` and `Preparer.word`
 */
export async function wordOfTemplate(record: string, rendering: HtmlRendering): Promise<Uint8Array> {
  const { plan, chrome, preparer, signal } = rendering;
  const { template, settings } = plan;
  const filled = await fillTemplate(template, record, settings, rendering);
  const faults = new DocumentFaults(settings.failOn);
  const { document, furniture: whole } = await composed(filled, settings, rendering, faults);
  const { header, footer, furnitureFonts } = whole;
  if (whole.byPage !== null) throw noWordFurniture();
  const { page } = settings;
  const options = {
    ...page,
    header: null,
    footer: null,
    byPage: null,
    furnitureFonts: '',
    roomFor: null,
    tagged: false,
  };
  const body = await chrome.read(document, options, signal);
  faults.check();
  // Header and footer are as wide as the paper, and add the margins of the page themselves.
  const { size, margins } = body.sheet;
  const wide = {
    ...options,
    browser: null,
    author: null,
    paper: size,
    landscape: false,
    margins: { top: 0, right: 0, bottom: 0, left: 0 },
    scale: 1,
  };
  const furniture = async (html: string | null, edge: 'top' | 'bottom'): Promise<DocumentReading | null> => {
    if (html === null) return null;
    const text = furniturePage(html, edge, margins[edge]);
    const styles = furnitureFonts === '' ? [] : [furnitureFonts];
    const part = { html: text, styles, title: filled.title };
    const { html: whole, facts } = await preparer.compose({ document: part, furniture: null }, signal);
    return await chrome.read({ html: whole, facts, resources: document.resources }, wide, signal);
  };
  const source = {
    body,
    header: await furniture(header, 'top'),
    footer: await furniture(footer, 'bottom'),
    title: document.facts.title,
    language: document.facts.language,
  };
  return await preparer.word({ source, sheet: page }, signal);
}

/**
 * Returns a header or footer as a document, with marks where the word processor inserts page numbers. The default
 * one is in the middle of the page margin; for printing, engines give it an element as high as the margin.
 *
 * @param margin of the page at that edge, in centimetres
 */
function furniturePage(html: string, edge: 'top' | 'bottom', margin: number): string {
  const mark = (name: string, character: string): string => `.${name}:empty::before{content:"${character}"}`;
  const marks = mark('pageNumber', FIELD_MARKS.PAGE) + mark('totalPages', FIELD_MARKS.NUMPAGES);
  const middle = Math.max(0, margin / 2 - HALF_LINE);
  const standard =
    'body>div:has(>.platen-line){container-type:normal!important;height:auto!important;margin:0!important}' +
    `body>div:has(>.platen-line){padding-${edge}:${middle}cm!important}` +
    '.platen-line{position:static!important;transform:none!important}';
  return `<!DOCTYPE html><style>body{margin:0}${marks}${standard}</style>${html}`;
}

function noWordFurniture(): PlatenError {
  const message =
    'headers and footers by page, sections in them and first_page_number cannot be honoured in an office document made of html, but in a PDF';
  return new PlatenError('option_not_supported', `Of a template, ${message}.`, {
    faults: [{ field: 'header_file', message }],
  });
}

/** Half the line height of the default header, in centimetres. */
const HALF_LINE = 0.25;
