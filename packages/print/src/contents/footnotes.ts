import { COLLECT_RULES } from '../nested-selectors.ts';
import { BESIDE_AREAS, BLOCK_STARTS, breaksBefore } from './block-starts.ts';
import { FOOTNOTE_PARTS, KEPT } from './css.ts';

/**
 * Footnotes (CSS Generated Content for Paged Media 3, 2), inside of a loaded document. No engine reserves space
 * for them at the foot of a page, but lines keep away from floats that are as wide as the page: so the notes of a
 * page are in such a float, and a float without a width before it moves it down. Its position is determined by
 * printing: first with the notes' heights in the lines of their calls, so that pages break at their final places.
 */

/** Data that the scripts store in the window for one another, and for those of tags/described.ts. */
export const FOOTNOTES_STATE = '__platenFootnotes';

/** Maximum number of notes of a document. */
export const MAX_FOOTNOTES = 5_000;

/** The element that has the notes of a page. */
export const FOOTNOTE_AREA = 'platen-footnote-area';
const HOLDER = 'platen-footnote-holder';

const DEFAULTS = `:where(h1,h2,h3,h4,h5,h6){break-inside:avoid}
:where(${FOOTNOTE_PARTS.call})::before{content:counter(footnote);font-size:0.6em;vertical-align:0.6em;line-height:1}
:where(${FOOTNOTE_PARTS.marker})::before{content:counter(footnote) ". "}
:where(${FOOTNOTE_PARTS.notes}){display:block;margin-top:8px;padding-top:4px;border-top:1px solid}`;

/** Helpers that several of the scripts use. */
const SUPPORT = `
  const styled = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
    return element;
  };
  const made = (name, declarations) => styled(document.createElement(name), declarations);
  const contentBox = (element) => {
    const box = element.getBoundingClientRect(), look = getComputedStyle(element);
    const left = box.left + parseFloat(look.borderLeftWidth) + parseFloat(look.paddingLeft);
    return { left, right: box.right - parseFloat(look.borderRightWidth) - parseFloat(look.paddingRight) };
  };
  const newArea = () => made('${FOOTNOTE_AREA}', {
    display: 'flex', 'flex-direction': 'column', 'justify-content': 'flex-end', float: 'left', clear: 'both',
    'break-inside': 'avoid', 'box-sizing': 'border-box', 'text-indent': '0', 'white-space': 'normal', margin: '0', padding: '0', border: '0',
  });
`;

/**
 * Body of a function that moves the footnotes of a document out of its text, and keeps their calls. The notes
 * become invisible, with their final width. It returns `Lifted`.
 */
export const EXTRACT_FOOTNOTES = `${COLLECT_RULES}${SUPPORT}
  const unsupported = new Set();
  const isByPage = pageRules.some(({ style }) => /\\bfootnote\\b/.test(style.counterReset));
  const elementsOf = (isMeant) => {
    const all = new Set();
    for (const { style, selector } of rules) {
      if (!isMeant(style)) continue;
      try { for (const element of document.querySelectorAll(selector)) all.add(element); } catch {}
    }
    return all;
  };
  const isNote = (element) => getComputedStyle(element).getPropertyValue('${KEPT.footnote}') !== '';
  const candidates = isHidden ? document.querySelectorAll('body *') : elementsOf((style) => style.getPropertyValue('${KEPT.footnote}') !== '');
  const meant = new Set([...candidates].filter((element) => document.body.contains(element) && element !== document.body && isNote(element)));
  const isInNote = (element) => element !== null && (meant.has(element) || isInNote(element.parentElement));
  const notes = inOrder([...meant].filter((element) => !isInNote(element.parentElement) && element.getClientRects().length > 0));
  if (notes.length === 0) return { count: 0, unsupported: [] };
  const said = (name, ...done) => rules.map(({ style }) => style.getPropertyValue(name).trim()).filter((value) => value !== '' && !done.includes(value));
  for (const value of said('${KEPT.footnoteDisplay}', 'block')) unsupported.add('footnote-display: ' + value);
  for (const value of said('${KEPT.footnotePolicy}', 'auto', 'line')) unsupported.add('footnote-policy: ' + value);
  if (rules.some(({ selector }) => selector.includes('${FOOTNOTE_PARTS.notesOfSome}'))) unsupported.add('@footnote in a rule of some pages');
  const refused = (why) => ({ count: 0, unsupported: [...unsupported, 'float: footnote (' + why + ')'] });
  if (notes.length > ${MAX_FOOTNOTES}) return refused('more than ${MAX_FOOTNOTES}');
  // What is around everything has to let text flow past floats.
  for (const element of [document.documentElement, document.body]) {
    const { display, columnCount, columnWidth, writingMode } = getComputedStyle(element);
    if (display !== 'block' || columnCount !== 'auto' || columnWidth !== 'auto' || writingMode !== 'horizontal-tb')
      return refused('in a document that is no plain block');
  }
  const defaults = document.createElement('style');
  defaults.textContent = ${JSON.stringify(DEFAULTS)};
  document.head.prepend(defaults);
  const restarts = elementsOf((style) => /\\bfootnote\\b/.test(style.counterReset));
  const chapters = inOrder(restarts).filter((element) => /\\bfootnote\\b/.test(getComputedStyle(element).counterReset));
  const body = contentBox(document.body);
  const around = newArea(), inner = document.createElement('${FOOTNOTE_PARTS.notes}');
  around.append(inner);
  const inherited = ['font', 'color', 'letter-spacing', 'word-spacing', 'text-align', 'text-transform', 'direction'];
  const entries = notes.map((note) => {
    const parent = note.parentElement, look = getComputedStyle(parent);
    const holder = document.createElement('${HOLDER}');
    for (const name of inherited) holder.style.setProperty(name, look.getPropertyValue(name));
    styled(holder, { display: 'block' });
    const language = parent.closest('[lang]')?.getAttribute('lang');
    if (language) holder.setAttribute('lang', language);
    // Selectors of the note lead to its call; the call itself looks as the text around it does.
    const place = note.cloneNode(false);
    place.removeAttribute('id');
    place.removeAttribute('style');
    place.setAttribute('data-platen-footnote', '');
    styled(place, { all: 'inherit', display: 'contents' });
    const call = made('${FOOTNOTE_PARTS.call}', { display: 'inline' });
    place.append(call);
    const marker = document.createElement('${FOOTNOTE_PARTS.marker}');
    return { note, holder, place, call, marker, css: note.getAttribute('style') };
  });
  const further = document.createElement('style');
  further.textContent = '[data-platen-footnote]::before,[data-platen-footnote]::after{content:none!important}';
  document.head.append(further);
  for (const { note, holder, place, marker } of entries) {
    note.replaceWith(place);
    note.prepend(marker);
    styled(note, { display: 'block', float: 'none', position: 'static' });
    holder.append(note);
    inner.append(holder);
  }
  const restartOf = (call) => chapters.findLastIndex((element) => !(call.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING));
  let chapter = -1, number = 0;
  for (const entry of entries) {
    const at = restartOf(entry.call);
    if (at !== chapter) { chapter = at; number = 0; }
    entry.number = number += 1;
  }
  const numbered = (entry, number) => {
    for (const element of [entry.call, entry.holder]) element.style.setProperty('counter-set', 'footnote ' + number, 'important');
  };
  for (const entry of entries) numbered(entry, entry.number);
  // A little narrower than it will be: letters take other places on paper than on the screen.
  styled(around, { position: 'absolute', top: '0', left: body.left + 'px', width: (body.right - body.left) * 0.99 - 4 + 'px', visibility: 'hidden' });
  document.body.append(around);
  window.${FOOTNOTES_STATE} = { entries, around, inner, isByPage, numbered, written: [], further: [defaults, further] };
  return { count: entries.length, unsupported: [...unsupported] };`;

/**
 * Body of a function that puts the height of each note into the line of its call, once. It returns a `Measured`.
 *
 * @param marks statements that define `markOf`
 * @param printedWidth CSS pixels that the document has on paper
 * @param spare additional CSS pixels that are reserved for each note
 */
export function reservingScript(marks: string, printedWidth: number, spare: number): string {
  return `${marks}${SUPPORT}const state = window.${FOOTNOTES_STATE}, printedWidth = ${printedWidth}, spare = ${spare};${RESERVING}`;
}

const RESERVING = `
  const { entries, around, inner, written } = state;
  const outer = (element) => element.getBoundingClientRect().height;
  for (const entry of entries) entry.height = outer(entry.holder);
  const frame = Math.max(0, outer(around) - entries.reduce((sum, { height }) => sum + height, 0)) + spare;
  around.remove();
  const isInline = (element) => /^(?:inline|contents|ruby)/.test(getComputedStyle(element).display) && !/^inline-/.test(getComputedStyle(element).display);
  const isApart = (element) => {
    const { display, float, position, columnCount, columnWidth, writingMode } = getComputedStyle(element);
    return /table|flex|grid|^inline-/.test(display) || float !== 'none' || position === 'absolute' || position === 'fixed' ||
      columnCount !== 'auto' || columnWidth !== 'auto' || writingMode !== 'horizontal-tb';
  };
  for (const entry of entries) {
    let block = entry.place.parentElement;
    while (block !== document.body && isInline(block)) block = block.parentElement;
    // What floats cannot reach into stands below the anchor of its notes as a whole.
    let apart = null;
    for (let at = block; at !== document.body && at !== null; at = at.parentElement) if (isApart(at)) apart = at;
    entry.block = block;
    entry.apart = apart;
    entry.row = entry.place.closest('tr');
  }
  const anchors = new Map();
  for (const entry of entries) {
    const before = entry.apart ?? null;
    const key = before ?? entry.block;
    if (!anchors.has(key)) {
      const anchor = made('platen-anchor', { all: 'initial', display: 'block', float: 'left', width: '0', height: '0' });
      if (before === null) entry.block.prepend(anchor);
      else {
        let parent = before;
        // An inline block stands in a line: its notes begin with the block of that line.
        while (parent.parentElement !== document.body && isInline(parent.parentElement)) parent = parent.parentElement;
        parent.before(anchor);
      }
      anchors.set(key, anchor);
    }
    entry.anchor = anchors.get(key);
  }
  // Where things stand in a row, as if there were one long page: it tells where what is pushed to a page would have stood.
  const root = document.documentElement, { width } = root.style;
  styled(root, { width: printedWidth + 'px' });
  const isWide = root.scrollWidth > printedWidth + 1;
  const topOf = (element) => element.getBoundingClientRect().top;
  const previousOf = (element) => {
    let previous = element.previousElementSibling;
    while (previous?.localName === 'platen-anchor') previous = previous.previousElementSibling;
    return previous;
  };
  const flowOf = ({ call, anchor }, before) => ({ call: topOf(call), anchor: topOf(anchor), before: before === null ? 0 : topOf(before) });
  const told = entries.map((entry) => {
    const { call, anchor, height, row, apart, block } = entry;
    let start = apart ?? block;
    while (start !== document.body && previousOf(start) === null) start = start.parentElement;
    const before = start === document.body ? null : previousOf(start);
    entry.before = before;
    entry.line = Math.round(call.getBoundingClientRect().bottom);
    const look = getComputedStyle(call);
    return {
      call: markOf(call), anchor: markOf(anchor), before: before === null || before.getClientRects().length === 0 ? null : markOf(before), height,
      flow: flowOf(entry, before), line: topOf(row ?? call), isApart: apart !== null,
      lineHeight: parseFloat(look.lineHeight) || parseFloat(look.fontSize) * 1.15,
    };
  });
  ${BLOCK_STARTS}
  state.blocks = blocks;
  const groups = new Map();
  for (const entry of entries) {
    const key = entry.row ?? entry.block;
    const group = (groups.get(key) ?? []).find(({ row, line }) => row !== null || Math.abs(line - entry.line) < 4);
    if (group === undefined) groups.set(key, [...(groups.get(key) ?? []), { row: entry.row, line: entry.line, members: [entry] }]);
    else group.members.push(entry);
  }
  for (const { row, members } of [...groups.values()].flat()) {
    const total = members.reduce((sum, { height }) => sum + height + frame, 0);
    if (row !== null) {
      for (const cell of row.cells) {
        const before = cell.getAttribute('style');
        styled(cell, { 'padding-bottom': parseFloat(getComputedStyle(cell).paddingBottom) + total + 'px' });
        written.push(() => (before === null ? cell.removeAttribute('style') : cell.setAttribute('style', before)));
      }
      continue;
    }
    for (const { call, place } of members) {
      const look = getComputedStyle(call);
      const size = parseFloat(look.fontSize), line = parseFloat(look.lineHeight) || size * 1.15;
      const depth = (line - size) / 2 + size * 0.22;
      const height = total + depth;
      // No box of its own: text could break beside one.
      const strut = made('platen-strut', { all: 'initial', 'font-size': '0', 'line-height': height + 'px', 'vertical-align': -height / 2 + 'px' });
      strut.textContent = '\\u2060';
      place.append(strut);
      written.push(() => strut.remove());
    }
  }
  const reserved = entries.map((entry) => flowOf(entry, entry.before));
  root.style.width = width;
  const rulers = [0, 100].map((top) => {
    const ruler = made('platen-ruler', { all: 'initial', position: 'absolute', display: 'block', top: top + 'px', left: '0', width: '1px', height: '1px' });
    document.body.append(ruler);
    return ruler;
  });
  return { frame, isWide, rulers: rulers.map(markOf), notes: told.map((note, index) => ({ ...note, reserved: reserved[index] })) };`;

/** The area for the notes of a page. */
export interface FootnoteArea {
  /** Their indices; none if lines are only kept away, because the note of a call among them does not fit there. */
  notes: readonly number[];
  /** The note whose anchor is the reference of its position. */
  anchor: number;
  /** In CSS pixels: the distance between the reference and the notes, and the height of their area. */
  hold: number;
  height: number;
  /** Whether the reference is the area before instead of its anchor. */
  isBelowLast: boolean;
}

/**
 * Body of a function that puts notes at the feet of pages. It returns the names that identify the areas' positions as
 * `marks`, and the blocks that may begin beside them as `blocks`.
 *
 * @param marks statements that define `markOf`
 * @param breaks notes whose block begins a page
 * @param starts names of further blocks that begin a page
 */
export function placingScript(
  marks: string,
  areas: readonly FootnoteArea[],
  breaks: readonly number[],
  starts: readonly string[],
): string {
  return `${marks}${SUPPORT}const state = window.${FOOTNOTES_STATE}, areas = ${JSON.stringify(areas)}, breaks = ${JSON.stringify(breaks)};${UNDOING}${breaksBefore(starts)}${PLACING}`;
}

const UNDOING = `
  const { entries, written, inner, isByPage, numbered, blocks } = state;
  for (const undo of written.splice(0).reverse()) undo();`;

const PLACING = `
  const body = contentBox(document.body);
  const ends = new Map();
  for (const note of breaks) {
    const element = entries[note].apart ?? entries[note].block;
    const before = element.getAttribute('style');
    styled(element, { 'break-before': 'page' });
    written.push(() => (before === null ? element.removeAttribute('style') : element.setAttribute('style', before)));
  }
  const areasOfNotes = areas.map(({ notes, anchor: from, hold, height, isBelowLast }) => {
    const { anchor } = entries[from];
    const holder = made('platen-anchor', {
      all: 'initial', display: 'block', float: 'left', width: '0', height: hold + 'px', clear: isBelowLast ? 'both' : 'none',
    });
    const area = newArea(), list = inner.cloneNode(false);
    if (notes.length > 0) area.append(list);
    for (const [index, note] of notes.entries()) {
      list.append(entries[note].holder);
      if (isByPage) numbered(entries[note], index + 1);
    }
    (ends.get(anchor) ?? anchor).after(holder, area);
    ends.set(anchor, area);
    const box = anchor.parentElement === document.body ? body : contentBox(anchor.parentElement);
    styled(area, { width: body.right - body.left + 'px', height: height + 'px', 'margin-left': body.left - box.left + 'px' });
    written.push(() => { holder.remove(); area.remove(); });
    return area;
  });
  return { marks: areasOfNotes.map(markOf), blocks: ${BESIDE_AREAS} };`;

/** Body of a function that moves notes back to where they are written. */
export const RESTORE_FOOTNOTES = `
  const { entries, written, further } = window.${FOOTNOTES_STATE};
  for (const undo of written.splice(0).reverse()) undo();
  for (const { note, place, marker, css } of entries) {
    marker.remove();
    if (css === null) note.removeAttribute('style');
    else note.setAttribute('style', css);
    place.replaceWith(note);
  }
  for (const style of further) style.remove();
  document.querySelectorAll('platen-anchor,platen-ruler').forEach((element) => element.remove());
  return null;`;
