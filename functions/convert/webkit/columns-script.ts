/**
 * Columns. WebKit prints one column, but lays columns out on the screen. So they become boxes beside each other, each with
 * the content that its column has there: content is divided where a line is the first one of a column.
 */

/** Elements with columns. */
const MAX_OWNERS = 200;
/** Elements in the columns of one element. */
const MAX_ELEMENTS = 1000;

/** Properties that selectors may give to an element by its place among others; they stay as they were. */
const LOOK = [
  ...['top', 'right', 'bottom', 'left'].flatMap((side) => [
    ...['width', 'style', 'color'].map((name) => `border-${side}-${name}`),
    `margin-${side}`,
    `padding-${side}`,
  ]),
  ...['style', 'weight', 'family', 'variant-caps', 'size'].map((name) => `font-${name}`),
  ...['align', 'indent', 'transform', 'shadow', 'decoration-line', 'decoration-color'].map(
    (name) => `text-${name}`,
  ),
  ...['color', 'image', 'position', 'repeat', 'size'].map((name) => `background-${name}`),
  ...['top-left', 'top-right', 'bottom-right', 'bottom-left'].map((corner) => `border-${corner}-radius`),
  ...'color line-height letter-spacing word-spacing white-space vertical-align opacity visibility display'.split(
    ' ',
  ),
  ...'float clear position box-shadow list-style-type list-style-image transform'.split(' '),
];

/**
 * Body of a function that makes boxes of the columns of a loaded document, which has the width of its pages. It returns as
 * JSON how many elements keep one column: those that are higher than a page, and those whose content would be elsewhere.
 *
 * @param height of the text on a page, in CSS pixels
 */
export function columnsScript(height: number): string {
  return `const room = ${height}, LOOK = ${JSON.stringify(LOOK)};${BODY}`;
}

const BODY = `
  const REPLACED = 'img,svg,canvas,video,hr,input,object,embed,iframe,select,textarea,button,meter,progress';
  const own = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
    return element;
  };
  /** Its columns, as they are laid out. */
  const columnsOf = (owner) => {
    const style = getComputedStyle(owner);
    const { columnCount, columnWidth, columnGap, fontSize, display, writingMode, direction } = style;
    if (!/^(?:block|flow-root|list-item|inline-block)$/.test(display)) return null;
    const box = owner.getBoundingClientRect();
    const inset = (side) => parseFloat(style['padding' + side]) + parseFloat(style['border' + side + 'Width']);
    const left = box.left + inset('Left'), right = box.right - inset('Right'), whole = right - left;
    const gap = columnGap === 'normal' ? parseFloat(fontSize) : columnGap.endsWith('%') ? whole * parseFloat(columnGap) / 100 : parseFloat(columnGap);
    const most = columnWidth === 'auto' ? Infinity : Math.max(1, Math.floor((whole + gap) / (parseFloat(columnWidth) + gap)));
    const count = Math.min(columnCount === 'auto' ? Infinity : Number(columnCount), most);
    if (!(whole > 0) || count < 2 || !Number.isFinite(count)) return count === 1 ? 'one' : null;
    const width = (whole - gap * (count - 1)) / count;
    const of = (rect) => Math.floor(((direction === 'rtl' ? right - rect.right : rect.left - left) + gap / 2) / (width + gap));
    return { count, width, gap, of, isUpright: writingMode === 'horizontal-tb', box, style };
  };
  const rectOf = (leaf, offset = 0) => {
    if (leaf instanceof Element) return leaf.getBoundingClientRect();
    const range = document.createRange();
    range.setStart(leaf, offset);
    range.setEnd(leaf, leaf.length);
    return range.getClientRects()[0] ?? null;
  };
  const leavesOf = (nodes) => {
    const leaves = [];
    const visit = (node) => {
      if (node instanceof Text) {
        if (node.data.trim() !== '' && rectOf(node) !== null) leaves.push(node);
      } else if (node instanceof Element && node.getClientRects().length > 0) {
        const { position, display } = getComputedStyle(node);
        if (/^(?:absolute|fixed)$/.test(position)) return;
        // What is not divided between columns is where it begins.
        if (node.matches(REPLACED) || node.childNodes.length === 0 || !/^(?:block|flow-root|list-item|inline)$/.test(display)) leaves.push(node);
        else node.childNodes.forEach(visit);
      }
    };
    nodes.forEach(visit);
    return leaves;
  };
  /** The places where columns begin. Null: the content does not run from column to column. */
  const beginsOf = (nodes, owner, { of, count }) => {
    const begins = [];
    let current = 0, before = null;
    for (const leaf of leavesOf(nodes)) {
      const isText = leaf instanceof Text;
      const last = isText ? (() => { const range = document.createRange(); range.selectNodeContents(leaf); return of([...range.getClientRects()].at(-1)); })() : of(rectOf(leaf));
      if (last < current || last >= count) return null;
      while (last > current) {
        let low = 0, high = isText ? leaf.length - 1 : 0;
        while (low < high) {
          const middle = (low + high) >> 1, rect = rectOf(leaf, middle);
          if (rect === null || of(rect) > current) high = middle;
          else low = middle + 1;
        }
        const { top } = isText ? rectOf(leaf, low) : rectOf(leaf);
        current = isText ? of(rectOf(leaf, low)) : last;
        let node = leaf;
        if (low === 0) while (node.parentNode !== owner && !node.parentNode.contains(before)) node = node.parentNode;
        begins.push({ column: current, node, offset: low, top: top - owner.getBoundingClientRect().top });
      }
      before = leaf;
    }
    return begins;
  };
  const keepLook = (element, look, except) => {
    const now = getComputedStyle(element);
    for (const [at, name] of LOOK.entries())
      if (!except.test(name) && now.getPropertyValue(name) !== look[at]) element.style.setProperty(name, look[at], 'important');
  };
  const UPPER = /^(?:margin|padding|border)-top|^border-top-.*-radius|^text-indent|^list-style/;
  const LOWER = /^(?:margin|padding|border)-bottom|^border-bottom-.*-radius/;
  const divide = (nodes, begins, owner, { count, width, gap }, { divided, started }) => {
    const end = document.createComment('');
    nodes.at(-1).after(end);
    const boxes = Array.from({ length: count }, () =>
      own(document.createElement('platen-column'), { display: 'flow-root', 'min-width': '0', margin: '0', padding: '0', border: '0' }));
    for (const { column, node, offset, top } of [...begins].reverse()) {
      started.push({ box: boxes[column], top });
      const range = document.createRange();
      if (offset > 0) range.setStart(node, offset);
      else range.setStartBefore(node);
      range.setEndBefore(end);
      const chain = [];
      for (let at = node.parentNode; at !== owner; at = at.parentNode) {
        chain.unshift(at);
        const { textAlign, textAlignLast } = getComputedStyle(at);
        own(at, { 'margin-bottom': '0', 'padding-bottom': '0', 'border-bottom-width': '0' });
        if (offset > 0 && textAlign === 'justify' && textAlignLast === 'auto') own(at, { 'text-align-last': 'justify' });
      }
      const part = range.extractContents();
      let continued = part.firstElementChild;
      for (const origin of chain) {
        if (continued === null) break;
        divided.push({ origin, continued });
        continued.removeAttribute('id');
        own(continued, { 'margin-top': '0', 'padding-top': '0', 'border-top-width': '0', 'text-indent': '0', 'list-style': 'none', 'counter-increment': 'none' });
        continued.style.removeProperty('text-align-last');
        const next = [...continued.childNodes].find((child) => child instanceof Element || child.data?.trim() !== '');
        continued = next instanceof Element ? next : null;
      }
      boxes[column].append(part);
    }
    for (let at = nodes[0]; at !== end; ) {
      const next = at.nextSibling;
      boxes[0].append(at);
      at = next;
    }
    const grid = own(document.createElement('platen-columns'), {
      display: 'grid', 'grid-template-columns': 'repeat(' + count + ',' + width + 'px)', 'column-gap': gap + 'px', margin: '0', padding: '0', border: '0',
      'align-items': 'start', position: 'relative',
    });
    grid.append(...boxes);
    end.replaceWith(grid);
    return { grid, boxes };
  };
  const withRules = ({ grid, boxes }, { count, width, gap, style }) => {
    const { columnRuleStyle, columnRuleWidth, columnRuleColor } = style;
    const thick = parseFloat(columnRuleWidth);
    if (columnRuleStyle === 'none' || columnRuleStyle === 'hidden' || !(thick > 0)) return;
    for (let column = 1; column < count && boxes[column].childNodes.length > 0; column += 1)
      grid.append(own(document.createElement('platen-column-rule'), {
        position: 'absolute', top: '0', bottom: '0', width: '0', 'inset-inline-start': column * (width + gap) - gap / 2 - thick / 2 + 'px',
        'border-inline-start': thick + 'px ' + columnRuleStyle + ' ' + columnRuleColor,
      }));
  };
  const convert = (owner) => {
    const columns = columnsOf(owner);
    if (columns === 'one') {
      own(owner, { 'column-count': 'auto', 'column-width': 'auto' });
      return true;
    }
    if (columns === null || !columns.isUpright || columns.box.height > room) return false;
    const elements = [...owner.querySelectorAll('*')];
    if (elements.length > ${MAX_ELEMENTS} || owner.querySelector('canvas,iframe,video,object,embed') !== null) return false;
    const runs = [[]];
    for (const node of owner.childNodes) {
      if (node instanceof Element && getComputedStyle(node).columnSpan === 'all') runs.push([]);
      else runs.at(-1).push(node);
    }
    const leaves = leavesOf(owner.childNodes);
    const placeOf = (leaf) => {
      const { left, top } = owner.getBoundingClientRect(), rect = rectOf(leaf);
      return [rect.left - left, rect.top - top];
    };
    const places = leaves.map(placeOf);
    const looks = elements.map((element) => { const look = getComputedStyle(element); return LOOK.map((name) => look.getPropertyValue(name)); });
    const all = runs.map((run) => beginsOf(run, owner, columns));
    if (all.includes(null)) return false;
    const saved = [...owner.childNodes].map((node) => node.cloneNode(true));
    const style = owner.getAttribute('style');
    const { height } = columns.box;
    const parts = { divided: [], started: [] };
    for (const [index, run] of runs.entries()) {
      if (run.every((node) => !(node instanceof Element) && (node.data?.trim() ?? '') === '')) continue;
      withRules(divide(run, all[index], owner, columns, parts), columns);
    }
    own(owner, { 'column-count': 'auto', 'column-width': 'auto', 'break-inside': 'avoid' });
    if (columns.style.display !== 'inline-block') own(owner, { display: 'flow-root' });
    const lookOf = new Map(elements.map((element, index) => [element, looks[index]]));
    for (const { origin, continued } of parts.divided) lookOf.set(continued, lookOf.get(origin));
    const shortened = new Set(parts.divided.map(({ origin }) => origin)), lengthened = new Set(parts.divided.map(({ continued }) => continued));
    for (const [element, look] of lookOf) {
      const excepted = [shortened.has(element) && LOWER.source, lengthened.has(element) && UPPER.source].filter(Boolean);
      keepLook(element, look, new RegExp(excepted.join('|') || '^$'));
    }
    const numberOf = new Map(leaves.map((leaf, index) => [leaf, index]));
    const topOf = (nodes) => {
      const [leaf] = leavesOf(nodes), place = places[numberOf.get(leaf)];
      return place === undefined ? 0 : place[1] - placeOf(leaf)[1];
    };
    // Margins of what is above and below elements across all columns do not collapse.
    for (const child of owner.children) {
      const by = topOf([child]);
      if (Math.abs(by) > 0.5) own(child, { 'margin-top': parseFloat(getComputedStyle(child).marginTop) + by + 'px' });
    }
    // Margins at the beginning of a column may be cut off.
    for (const { box, top } of parts.started) {
      const [leaf] = leavesOf([box]);
      if (leaf !== undefined) own(box, { 'margin-top': top - placeOf(leaf)[1] + 'px' });
    }
    const less = height - owner.getBoundingClientRect().height, last = owner.querySelector(':scope > platen-columns:last-of-type');
    if (less > 0 && last !== null) own(last, { 'min-height': last.getBoundingClientRect().height + less + 'px' });
    const isSame = Math.abs(owner.getBoundingClientRect().height - height) < 2 && leaves.every((leaf, index) =>
      rectOf(leaf) !== null && placeOf(leaf).every((place, axis) => Math.abs(place - places[index][axis]) < 2));
    if (isSame) return true;
    owner.replaceChildren(...saved);
    if (style === null) owner.removeAttribute('style');
    else owner.setAttribute('style', style);
    return false;
  };
  const owners = [...document.querySelectorAll('body, body *')].filter((element) => {
    const { columnCount, columnWidth } = getComputedStyle(element);
    return (columnCount !== 'auto' || columnWidth !== 'auto') && element.getClientRects().length > 0;
  });
  // Inner ones first: the outer ones are not divided where these are.
  const left = owners.reverse().filter((owner, index) => index >= ${MAX_OWNERS} || !convert(owner));
  // Otherwise WebKit cuts their lines at the end of a page.
  for (const owner of left) {
    own(owner, { 'column-count': 'auto', 'column-width': 'auto' });
    // What spans columns would come last.
    for (const part of owner.querySelectorAll('*'))
      if (getComputedStyle(part).columnSpan === 'all') own(part, { 'column-span': 'none' });
  }
  return JSON.stringify({ oneColumn: left.length });`;
