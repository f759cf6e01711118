import type { PaperSize } from '@platen/print/paper';
import { type Colour, markElements } from '@platen/print/sections';
import { sheetPixels, type SheetOptions } from '@platen/print/sheet-options';
import { counterValues } from '@platen/print/contents/counters';
import type { TableBreaks } from './tables.ts';

/** Measures the tables of a loaded document and divides them before the rows that tables.ts names. */

/** Most rows that are measured. */
const MAX_ROWS = 20_000;

/** Returns whether a document may have tables. */
export function mayHaveTables(html: string): boolean {
  return /<table\b|createElement\(\s*["']table/i.test(html);
}

/**
 * Returns an expression for `tablesScript`: a height that a document does not have whose pages are known to be one, before
 * it has the width of its sheet.
 *
 * @param room of the sheet that the document has been loaded for, in CSS pixels
 */
export function leastHeight(
  options: Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'scale'>,
  room: PaperSize,
): string {
  return `(() => {
    if (rules === null && heights === null) return ${room.height};
    const given = ${JSON.stringify(sheetPixels(options))};
    const room = (axis, ...sides) =>
      sides.reduce((rest, side) => rest - (rules?.margins[side] ?? given[side]), rules?.size?.[axis] ?? given[axis]) / ${options.scale};
    // Narrower text is longer, and headers may take some of the room.
    return 0.7 * room('height', 'top', 'bottom') * Math.min(1, room('width', 'left', 'right') / ${room.width});
  })()`;
}

/**
 * Statements that divide the tables of a loaded document, and leave their rows in `tables`.
 *
 * @param height expression of the height of the text on a page, in CSS pixels; a document that is not higher has no marks
 * @param signature colour of the marks; null for no marks
 */
export function tablesScript(breaks: TableBreaks, height: string, signature: Colour | null): string {
  return `
  let tables = null;
  if (document.querySelector('table') !== null && document.documentElement.scrollHeight > ${height}) {
    const breaks = ${JSON.stringify(breaks)};
    ${signature === null ? 'const mark = null;' : markElements(signature)}
    ${BODY}
  }`;
}

/** See `counterValues`. */
const COUNTER_VALUES = counterValues(MAX_ROWS, true);

const BODY = `
    const forced = /^(?:always|page|left|right|recto|verso)$/;
    // WebKit does not divide what is in these.
    const isDivided = (table) => {
      for (let at = table; at !== null && at !== document.documentElement; at = at.parentElement) {
        const { display, position, float } = getComputedStyle(at);
        if (!(at === table ? /^table$/ : /^(?:block|flow-root|list-item|table.*)$/).test(display)) return false;
        if (/^(?:absolute|fixed)$/.test(position) || float !== 'none') return false;
      }
      return true;
    };
    // Whether it is where its position in the undivided document says, if no break is forced before it.
    const isStill = (table) => {
      for (let at = table; at !== null; at = at.parentElement) {
        const { breakInside, columnCount, columnWidth, transform, writingMode } = getComputedStyle(at);
        const said = [breakInside, columnCount, columnWidth].every((value) => value === 'auto');
        if (!said || transform !== 'none' || writingMode !== 'horizontal-tb') return false;
      }
      return true;
    };
    const shownRows = (section) => [...section?.rows ?? []].filter((row) => row.getClientRects().length > 0);
    const spacingOf = (table) => {
      const { borderCollapse, borderSpacing } = getComputedStyle(table);
      return borderCollapse === 'separate' ? parseFloat(borderSpacing.split(' ').at(-1)) || 0 : 0;
    };
    const heightOf = (section, spacing) =>
      shownRows(section).length === 0 ? 0 : section.getBoundingClientRect().height + spacing;
    const unitsOf = (bodies) => bodies.flatMap((body) => {
      const units = [];
      let covered = 0;
      for (const row of shownRows(body)) {
        if (covered <= 0) units.push([]);
        units.at(-1).push(row);
        covered = Math.max(covered, ...[...row.cells].map(({ rowSpan }) => rowSpan || Infinity)) - 1;
      }
      return units;
    });
    // Where a document is divided anyway, a table does not move with those before.
    const steps = [];
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    while (all.nextNode() && steps.length < ${MAX_ROWS}) {
      const element = all.currentNode;
      if (element.localName === 'table') steps.push(element);
      if (/^(?:tr|t[dh]|span|a|b|i|br|col)$/.test(element.localName)) continue;
      const { breakBefore, breakAfter } = getComputedStyle(element);
      if (forced.test(breakBefore) && element.localName !== 'table') steps.push(null);
      if (forced.test(breakAfter)) steps.push(null);
    }
    const found = [];
    let rowsLeft = ${MAX_ROWS};
    for (const [index, table] of steps.entries()) {
      if (table === null || !isDivided(table)) continue;
      const bodies = [...table.tBodies];
      const units = unitsOf(bodies);
      if (units.length < 2 || (rowsLeft -= units.length) < 0) continue;
      found.push({ table, bodies, units, rows: bodies.flatMap((body) => [...body.rows]), isFree: index === 0 || steps[index - 1] === null });
    }
    let last = 0;
    const markAt = (row, edge) => {
      const cell = [...row?.cells ?? []].find(({ rowSpan }) => rowSpan === 1) ?? row?.cells[0];
      last += 1;
      if (mark === null || cell === undefined) return last;
      if (getComputedStyle(cell).position === 'static') cell.style.setProperty('position', 'relative', 'important');
      const own = mark(last);
      own.style.setProperty('left', '0', 'important');
      own.style.setProperty(edge, '0', 'important');
      cell.append(own);
      return last;
    };
    const numberOf = new Map(found.flatMap(({ rows }) => rows.map((row, number) => [row, number])));
    const hasBreaks = steps.includes(null) || steps.length >= ${MAX_ROWS};
    const yOf = (element, edge) => element.getBoundingClientRect()[edge] + scrollY;
    tables = found.map(({ table, units, isFree }) => {
      const spacing = spacingOf(table);
      return {
        isFree,
        isStill: !hasBreaks && isStill(table),
        top: yOf(table, 'top'),
        bottom: yOf(table, 'bottom'),
        spacing,
        head: heightOf(table.tHead, spacing),
        foot: heightOf(table.tFoot, spacing),
        units: units.map((unit) => ({
          row: numberOf.get(unit[0]),
          height: yOf(unit.at(-1), 'bottom') - yOf(unit[0], 'top') + spacing,
          bottom: yOf(unit.at(-1), 'bottom'),
        })),
      };
    });
    for (const [index, { table, units }] of found.entries()) {
      tables[index].mark = markAt(table.tHead?.rows[0] ?? units[0][0], 'top');
      for (const [at, unit] of units.entries())
        tables[index].units[at].to = markAt(unit.at(-1), 'bottom');
    }
    const said = (element, declarations) => {
      for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
      return element;
    };
    // What is inserted counts nothing (CSS Lists 3, 4), and what is repeated does not go on to count.
    const uncounted = { 'counter-reset': 'none', 'counter-increment': 'none', 'counter-set': 'none' };
    const idle = '[data-platen-repeated]';
    const counting = document.createElement('style');
    counting.textContent = [idle, idle + ' *', idle + '::before', idle + '::after', idle + ' *::before', idle + ' *::after'].join() +
      '{' + Object.entries(uncounted).map(([name, value]) => name + ':' + value + '!important').join(';') + '}';
    if (breaks.some((rows) => rows.length > 0)) (document.head ?? document.documentElement).append(counting);
    ${COUNTER_VALUES}
    const countsFurther = (section) => [section, ...section.querySelectorAll('*')].some((element) =>
      [undefined, '::before', '::after'].some((pseudo) =>
        [...countersOf(section.parentElement)[0].keys()].some((name) => getComputedStyle(element, pseudo).counterIncrement.split(' ').includes(name))));
    const hidden = () => said(document.createElement('tr'), { display: 'none' });
    const copyOf = (section) => {
      const copy = said(section.cloneNode(true), { display: 'table-row-group' });
      if (countsFurther(section)) copy.setAttribute('data-platen-repeated', '');
      for (const element of [copy, ...copy.querySelectorAll('[id]')]) element.removeAttribute('id');
      for (const own of copy.querySelectorAll('platen-mark')) own.remove();
      return copy;
    };
    const nothing = { display: 'block', height: '0', margin: '0', padding: '0', border: '0' };
    const gapOf = (table, row) => {
      const { borderCollapse } = getComputedStyle(table);
      const gap = document.createElement('tbody');
      gap.setAttribute('data-platen-repeated', '');
      const cell = said(gap.insertRow().insertCell(), {
        padding: '0', height: '0', 'line-height': '0', 'font-size': '0', background: 'none', 'box-shadow': 'none',
        border: '0', 'border-left-style': 'hidden', 'border-right-style': 'hidden',
      });
      said(gap.rows[0], { background: 'none', height: '0', border: '0' });
      said(gap, { background: 'none', border: '0' });
      cell.colSpan = [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0);
      // Half of a shared border is above the row that it belongs to.
      const next = table.tHead?.rows[0] ?? row;
      const above = borderCollapse === 'collapse' ? Math.max(0, ...[...next.cells].map((one) => parseFloat(getComputedStyle(one).borderTopWidth) || 0)) : 0;
      cell.append(said(document.createElement('div'), nothing));
      cell.append(said(document.createElement('div'), { ...nothing, height: Math.ceil(above / 2) + 'px', 'break-before': 'page' }));
      return gap;
    };
    for (const [index, { table, rows }] of found.entries()) {
      // From the end, where rows are still in their places.
      for (const number of [...breaks[index] ?? []].reverse()) {
        const row = rows[number];
        if (row === undefined) continue;
        if (number === 0) {
          said(table, { 'break-before': 'page' });
          continue;
        }
        const body = row.parentNode;
        let rest = body;
        const before = [...body.rows].indexOf(row);
        if (before > 0) {
          rest = body.cloneNode(false);
          rest.removeAttribute('id');
          said(rest, uncounted);
          // So that selectors such as nth-child() and last-child choose the same rows.
          for (let count = (before % 12) + 12; count > 0; count -= 1) rest.append(hidden());
          for (let next = row; next !== null; ) {
            const moved = next;
            next = next.nextElementSibling;
            rest.append(moved);
          }
          body.append(hidden());
          body.after(rest);
        }
        const gap = gapOf(table, row);
        rest.before(...(table.tFoot === null ? [] : [copyOf(table.tFoot)]), gap, ...(table.tHead === null ? [] : [copyOf(table.tHead)]));
      }
    }`;
