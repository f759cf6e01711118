import { counterValues } from '../../contents/counters.ts';

/** Most rows that are measured. */
const MAX_ROWS = 20_000;

/** Pixels that a page may have less than measured: rows are rounded. */
const SPARE = 3;

/**
 * Tables over several pages. WebKit cuts their rows at the end of a page, has no breaks between rows, and repeats no header.
 * So a table is divided before the row that the end of a page meets: by a row whose cell has a forced break in it, with copies
 * of header and footer beside it.
 */

/** Statements that leave the rows of tables and their heights in `tables`, as long as the document is no pages yet. */
export const MEASURED_TABLES = `
  const shownRows = (section) => [...section?.rows ?? []].filter((row) => row.getClientRects().length > 0);
  // Rows that no cell connects.
  const unitsOf = (table) => [...table.tBodies].flatMap((body) => {
    const units = [];
    let covered = 0;
    for (const row of shownRows(body)) {
      if (covered <= 0) units.push([]);
      units.at(-1).push(row);
      covered = Math.max(covered, ...[...row.cells].map(({ rowSpan }) => rowSpan || Infinity)) - 1;
    }
    return units;
  });
  const measured = (table) => {
    const { borderCollapse, borderSpacing } = getComputedStyle(table);
    const spacing = borderCollapse === 'separate' ? parseFloat(borderSpacing.split(' ').at(-1)) || 0 : 0;
    const [head, foot] = [table.tHead, table.tFoot].map((section) =>
      shownRows(section).length === 0 ? 0 : section.getBoundingClientRect().height + spacing);
    const units = unitsOf(table);
    const heights = units.map((unit) =>
      unit.at(-1).getBoundingClientRect().bottom - unit[0].getBoundingClientRect().top + spacing);
    return { table, units, heights, spacing, head, foot };
  };
  const roomOf = ({ spacing, head, foot }) => height - spacing - head - foot - ${SPARE};
  const isPlain = (one) => one.heights.every((own) => own <= roomOf(one));
  let rowsLeft = ${MAX_ROWS};
  const tables = new Map();
  for (const table of document.querySelectorAll('table')) if ((rowsLeft -= table.rows.length) >= 0) tables.set(table, measured(table));`;

/**
 * Statements for a document that is pages (paged.ts). They define `divide(table)`, for what `tables` has of a table, which
 * notes in `cutRows` that its rows may be cut, and in `connected` that connected rows are higher than a page.
 */
export const DIVIDED_TABLES = `
  const cutRows = [], connected = [];
  let isDivided = false;
  // WebKit does not divide what is in other boxes.
  const isDivisible = (table) => {
    for (let at = table; at !== null && at !== root; at = at.parentElement) {
      const { display, position, float, breakInside } = getComputedStyle(at);
      if (!(at === table ? /^table$/ : /^(?:block|flow-root|list-item|table.*)$/).test(display)) return false;
      if (/^(?:absolute|fixed)$/.test(position) || float !== 'none') return false;
      if (avoids(breakInside) && at.getClientRects().length === 1) return false;
    }
    return true;
  };
  // What is inserted counts nothing (CSS Lists 3, 4), and what is repeated does not go on to count.
  const uncounted = { 'counter-reset': 'none', 'counter-increment': 'none', 'counter-set': 'none' };
  const idle = '[data-platen-repeated]';
  const counting = document.createElement('style');
  counting.textContent = [idle, idle + ' *', idle + '::before', idle + '::after', idle + ' *::before', idle + ' *::after'].join() +
    '{' + Object.entries(uncounted).map(([name, value]) => name + ':' + value + '!important').join(';') + '}';
  ${counterValues(MAX_ROWS, true)}
  const countsFurther = (section) => [section, ...section.querySelectorAll('*')].some((element) =>
    [undefined, '::before', '::after'].some((pseudo) =>
      [...countersOf(section.parentElement)[0].keys()].some((name) => getComputedStyle(element, pseudo).counterIncrement.split(' ').includes(name))));
  const copyOf = (section) => {
    const copy = say(section.cloneNode(true), { display: 'table-row-group' });
    if (countsFurther(section)) copy.setAttribute('data-platen-repeated', '');
    for (const element of [copy, ...copy.querySelectorAll('[id]')]) element.removeAttribute('id');
    return copy;
  };
  const nothing = { display: 'block', height: '0', margin: '0', padding: '0', border: '0' };
  const gapOf = (row, above) => {
    const gap = document.createElement('tbody');
    gap.setAttribute('data-platen-repeated', '');
    const cell = say(gap.insertRow().insertCell(), {
      padding: '0', height: '0', 'line-height': '0', 'font-size': '0', background: 'none', 'box-shadow': 'none',
      border: '0', 'border-left-style': 'hidden', 'border-right-style': 'hidden',
    });
    say(gap.rows[0], { background: 'none', height: '0', border: '0' });
    say(gap, { background: 'none', border: '0' });
    cell.colSpan = [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0);
    cell.append(say(document.createElement('div'), nothing));
    cell.append(breakBefore(say(document.createElement('div'), { ...nothing, height: Math.ceil(above) + 'px' })));
    return gap;
  };
  const hidden = () => say(document.createElement('tr'), { display: 'none' });
  // Half of a shared border is above the row that it belongs to.
  const borderAbove = ({ cells }) => Math.max(0, ...[...cells].map((one) => parseFloat(getComputedStyle(one).borderTopWidth) || 0)) / 2;
  const divideBefore = ({ row, above }, head, foot) => {
    const body = row.parentNode, before = [...body.rows].indexOf(row);
    let rest = body;
    if (before > 0) {
      rest = body.cloneNode(false);
      rest.removeAttribute('id');
      say(rest, uncounted);
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
    rest.before(...(foot === null ? [] : [foot.cloneNode(true)]), gapOf(row, above), ...(head === null ? [] : [head.cloneNode(true)]));
  };
  // All is read before anything is changed, as each reading after a change lays the document out again.
  const planOf = (table, rows) => {
    const isShared = getComputedStyle(table).borderCollapse === 'collapse';
    const places = rows.map((row) => ({ row, above: isShared ? borderAbove(table.tHead?.rows[0] ?? row) : 0 }));
    const [head, foot] = [table.tHead, table.tFoot].map((section) => section && copyOf(section));
    return () => {
      if (!counting.isConnected) (document.head ?? root).append(counting);
      for (const place of places.reverse()) divideBefore(place, head, foot);
    };
  };
  // WebKit takes long to lay divided tables out as columns, so a box stands for one that is divided later.
  const plans = [];
  const standIn = (table, breaks, end, plan) => {
    const box = document.createElement('platen-table');
    const { marginBottom, breakBefore, breakAfter } = getComputedStyle(table);
    say(box, { ...nothing, height: 'auto', 'margin-bottom': marginBottom, 'break-before': breakBefore, 'break-after': breakAfter });
    for (let page = 0; page <= breaks; page += 1)
      box.append(say(document.createElement('div'), { ...nothing, 'break-before': page === 0 ? 'auto' : 'column', height: (page === breaks ? end : 1) + 'px' }));
    table.before(box);
    sayForNow(table, { display: 'none' });
    plans.push(() => { box.remove(); plan(); });
  };
  // WebKit has no forced breaks of rows.
  const beginsPage = ([row], before) => {
    const says = (element, name) => element != null && breaking.has(element) && isForced(getComputedStyle(element)[name]);
    return says(row, 'breakBefore') || says(before?.at(-1), 'breakAfter') ||
      (row.previousElementSibling === null && (says(row.parentElement, 'breakBefore') || says(before?.at(-1).parentElement, 'breakAfter')));
  };
  const divide = ({ table, units, heights, spacing, head, foot }) => {
    const hasBreak = breaking.size > 0 && units.some((unit, at) => at > 0 && beginsPage(unit, units[at - 1]));
    if (units.length === 0 || (isPaged && table.getClientRects().length < 2 && !hasBreak)) return;
    if (!isDivisible(table)) {
      if (units.some((unit) => unit.some((row) => row.getClientRects().length > 1))) note(cutRows, table);
      return;
    }
    const room = roomOf({ spacing, head, foot });
    let hasMoved = false;
    // A row that is higher than a page is cut, and the next one is looked for behind it.
    for (let from = 0; from < units.length; ) {
      const breaks = [];
      let y = yOf(units[from][0].getClientRects()[0]), at = from, isHigh = false;
      for (; at < units.length && !isHigh; at += 1) {
        isHigh = heights[at] > room;
        if (isHigh && units[at].length > 1) note(connected, table);
        const isOver = y + heights[at] > height - foot - ${SPARE} && (!isHigh || y > height / 2);
        if (at === 0 ? isOver && !hasMoved : isOver || beginsPage(units[at], units[at - 1])) {
          breaks.push(at);
          y = spacing + head;
          if (at === 0) break;
        }
        y += heights[at];
      }
      if (breaks[0] === 0) {
        breakBefore(beginningOf(table));
        hasMoved = true;
        continue;
      }
      from = at;
      if (breaks.length === 0) continue;
      isDivided = true;
      const plan = planOf(table, breaks.map((unit) => units[unit][0]));
      if (isPaged && isPlain(tables.get(table))) standIn(table, breaks.length, y + foot, plan);
      else plan();
    }
  };`;
