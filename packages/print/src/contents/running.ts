import { contentBeside } from '../in-document.ts';
import { COLLECT_RULES } from '../nested-selectors.ts';
import { ELEMENT_OF_BOX, KEPT } from './css.ts';

/**
 * Running elements (CSS Generated Content for Paged Media 3, 1.2), as scripts in a loaded document. No engine places
 * elements in margin boxes. The engine draws the boxes with space for their elements. The elements are printed
 * separately at their positions in the document, with their styles there, and laid over the pages.
 */

/** Property of the window that the scripts share. */
const STATE = '__platenRunning';

/** Maximum numbers of running elements and of boxes that show them. */
export const MAX_RUNNING = 2_000;
export const MAX_BOXES = 250;
/** Maximum number of descendants of an element whose counters and positions are read. */
const MAX_WITHIN = 500;

/** Attribute of a running element that was lifted. */
export const RUNNING = 'data-platen-running';
const PATH = 'data-platen-path';
const AWAY = 'data-platen-away';
const INSTANCE = 'data-platen-instance';

/** An image that reserves space in a box. @param fill colour; without it, the image is empty */
const PICTURE = `
  const picture = (width, fill) => 'url("data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="' +
    width + '" height="1">' + (fill ? '<path fill="' + fill + '" d="M0 0h' + width + 'v1H0z"/>' : '') + '</svg>') + '")';`;

/**
 * Body of a function that takes running elements out of the flow. Each remains as a point, whose page is known after
 * printing. It returns `Lifted`.
 *
 * @param marks statements that define `markOf`
 */
export function liftingScript(marks: string): string {
  return `${marks}${COLLECT_RULES}${PICTURE}${LIFTING}`;
}

const LIFTING = `
  const nameOf = (element) => getComputedStyle(element).getPropertyValue('${KEPT.running}').trim();
  const candidates = new Set(isHidden ? document.querySelectorAll('body *') : []);
  for (const { style, selector } of rules) {
    if (style.getPropertyValue('${KEPT.running}') === '') continue;
    try { for (const element of document.querySelectorAll(selector)) candidates.add(element); } catch {}
  }
  const boxes = pageRules.flatMap((page) => [...page.cssRules]).flatMap((rule) => {
    const [, name, which] = /"${ELEMENT_OF_BOX} ([-\\w]+) ([-\\w]+)"/.exec(rule.style?.content ?? '') ?? [];
    return name === undefined ? [] : [{ rule, name, which, edge: rule.name }];
  });
  const written = inOrder([...candidates].filter((element) => document.body?.contains(element) && element !== document.body && nameOf(element) !== ''));
  // Elements that no box shows would be lost.
  const names = new Set(boxes.map(({ name }) => name));
  const running = written.filter((element) => names.has(nameOf(element)));
  const unshown = [...new Set(written.map(nameOf))].filter((name) => !names.has(name));
  // A box without a width gets the width that others leave. Narrower elements are aligned like its text; beside other
  // boxes, an element is as wide as its content.
  const all = pageRules.flatMap((page) => [...page.cssRules]).filter(({ style }) => style !== undefined);
  const isWide = (box) => /^(?:top|bottom)-(?:left|center|right)$/.test(box) &&
    !all.some(({ name, style }) => name === box && !['', 'auto'].includes(style.width));
  const isBeside = (box) => {
    const [edge] = box.split('-');
    return isWide(box) && all.some(({ name, style }) => name !== box && name.startsWith(edge) && !name.endsWith('corner') && !['', 'none', 'normal'].includes(style.content));
  };
  for (const box of boxes) Object.assign(box, { isWide: isWide(box.edge), isBeside: isBeside(box.edge) });
  if (running.length === 0 || running.length > ${MAX_RUNNING} || boxes.length > ${MAX_BOXES})
    return { elements: [], boxes: [], unshown, isRefused: running.length > 0 };
  const within = (element) => [element, ...[...element.querySelectorAll('*')].slice(0, ${MAX_WITHIN})];
  // Elements with page counters differ by page.
  const countsPages = (element) => within(element).some((inner) =>
    ['::before', '::after'].some((pseudo) => /counters?\\(pages?\\b/.test(getComputedStyle(inner, pseudo).content)));
  // Absolutely positioned content without a positioned ancestor is positioned in the box.
  const isPlacedInBox = (element) => {
    const isHeld = (from) => {
      for (let at = from; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).position !== 'static') return true;
        if (at === element) return false;
      }
      return true;
    };
    const isAbsolute = ({ position, content }, isPseudo) => position === 'absolute' && !(isPseudo && /^(?:none|normal)$/.test(content));
    return within(element).some((inner) =>
      (inner !== element && isAbsolute(getComputedStyle(inner), false) && !isHeld(inner.parentElement)) ||
      ['::before', '::after'].some((pseudo) => isAbsolute(getComputedStyle(inner, pseudo), true) && !isHeld(inner)));
  };
  const widths = new Map();
  const elements = running.map((element) => {
    const look = getComputedStyle(element);
    const { display } = look;
    const isShown = element.checkVisibility();
    const written = element.style.cssText;
    element.style.setProperty('position', 'absolute', 'important');
    const length = element.computedStyleMap().get('width');
    if (!(length instanceof CSSUnitValue) || length.unit === 'percent') element.style.setProperty('width', 'max-content', 'important');
    const width = element.getBoundingClientRect().width + parseFloat(look.marginLeft) + parseFloat(look.marginRight);
    element.style.cssText = written;
    const name = nameOf(element);
    widths.set(name, Math.max(widths.get(name) ?? 1, Math.ceil(width) || 1));
    return { element, written, display, told: { name, place: markOf(element), isShown, countsPages: countsPages(element), isPlacedInBox: isPlacedInBox(element) } };
  });
  for (const { element } of elements) element.setAttribute('${RUNNING}', '');
  // A forced break with nothing but running elements behind it would begin an empty page.
  ${contentBeside(RUNNING)}
  const before = (node) => {
    let at = node.previousSibling;
    while (at !== null && !isContent(at)) at = at.previousSibling;
    return at;
  };
  for (const { element } of elements) {
    if (hasContentBeside(element, 'nextSibling')) continue;
    let at = element;
    while (before(at) === null && at.parentElement !== null && at.parentElement !== document.body) at = at.parentElement;
    for (let last = before(at); last instanceof HTMLElement; last = last.lastElementChild) last.style.setProperty('break-after', 'auto', 'important');
  }
  const style = document.createElement('style');
  style.textContent = '[${RUNNING}]{display:block!important;position:absolute!important;inset:auto!important;float:none!important;width:0!important;height:0!important;min-width:0!important;min-height:0!important;margin:0!important;padding:0!important;border:none!important;break-before:auto!important;break-after:auto!important;page:auto!important;transform:none!important;overflow:hidden!important;contain:strict!important;visibility:hidden!important}'
    + '[${RUNNING}] *{display:none!important}';
  document.head.append(style);
  for (const box of boxes) {
    // At most as wide as the text area: longer elements wrap.
    box.width = Math.min(widths.get(box.name) ?? 1, innerWidth);
    box.rank = box.rule.style.getPropertyPriority('content');
    box.rule.style.setProperty('content', picture(box.width), box.rank);
    box.written = box.rule.style.cssText;
  }
  window.${STATE} = { elements, boxes, style };
  return { elements: elements.map(({ told }) => told), boxes: boxes.map(({ name, which, isWide, isBeside }) => ({ name, which, isWide, isBeside })), unshown, isRefused: false };`;

/** Two channels of the colour of a mark; the third one is the number of the box. */
export type MarkColour = readonly [red: number, green: number];

/**
 * Body of a function that fills the boxes with colours, so that they can be located in the PDF: the content area with
 * the first one, and the content with the second one.
 */
export function markingScript(room: MarkColour, content: MarkColour): string {
  return `${PICTURE}
  for (const [index, { rule: { style }, width, rank }] of window.${STATE}.boxes.entries()) {
    style.setProperty('content', picture(width, 'rgb(${content.join()},' + index + ')'), rank);
    const marks = { 'background-image': 'none', 'background-color': 'rgb(${room.join()},' + index + ')', 'background-clip': 'content-box', 'line-height': '0' };
    for (const [name, value] of Object.entries(marks)) style.setProperty(name, value, 'important');
  }`;
}

/** Body of a function that restores the boxes. */
export const UNMARKING = `for (const { rule, written } of window.${STATE}.boxes) rule.style.cssText = written;`;

/** An element in a box. */
export interface Instance {
  /** Index of the element. */
  element: number;
  /** Width of the box in CSS pixels. */
  width: number;
  /** Page number that its counters show; null if it has none. */
  page: number | null;
  /** Whether an element without a width is as wide as its content. */
  isFit: boolean;
  /** Height of the box, and the share of its free space above the element, if content is positioned in the box; else null. */
  room: { height: number; above: number } | null;
}

/** CSS pixels around each instance, for content outside its box. */
export const SLACK = 96;

/**
 * Body of a function that reduces the document to these instances, each on its own page, `SLACK` from the edges. It
 * returns, in page order, the number of each instance, and its width and height including margins.
 *
 * @param pages number of pages of the document
 */
export function sheetScript(instances: readonly Instance[], pages: number): string {
  return `const wanted = ${JSON.stringify(instances)}, total = ${pages}, slack = ${SLACK};${SHEET}`;
}

const SHEET = `
  const state = window.${STATE};
  const root = document.documentElement;
  const texts = [], made = [], shown = [], flagged = [], held = [];
  const flag = (element, name) => { element.setAttribute(name, ''); flagged.push([element, name]); };
  const used = new Set(wanted.map(({ element }) => state.elements[element].element));
  const paths = new Set();
  for (const element of used)
    for (let at = element.parentElement; at !== null && at !== root && !paths.has(at); at = at.parentElement) paths.add(at);
  for (const path of paths) {
    flag(path, '${PATH}');
    for (const node of path.childNodes) {
      if (node instanceof Text) { texts.push([node, node.data]); node.data = ''; }
      else if (node instanceof Element && !paths.has(node) && !used.has(node)) flag(node, '${AWAY}');
    }
  }
  for (const child of root.children) if (!paths.has(child)) flag(child, '${AWAY}');
  const drawn = (from, to) => {
    const copies = to.querySelectorAll('canvas');
    for (const [index, canvas] of from.querySelectorAll('canvas').entries())
      try { copies[index].getContext('2d').drawImage(canvas, 0, 0); } catch {}
  };
  const last = new Map();
  const blocks = { inline: 'block', 'inline-block': 'block', contents: 'block', 'inline-flex': 'flex', 'inline-grid': 'grid', 'inline-table': 'table', none: 'block' };
  const style = document.createElement('style');
  style.textContent = 'html{display:block!important;position:static!important;margin:0!important;padding:0!important;border:none!important;background:none!important;height:auto!important;min-height:0!important;max-height:none!important;min-width:0!important;max-width:none!important;columns:auto!important;transform:none!important;overflow:visible!important}[${PATH}]{display:contents!important}[${PATH}]::before,[${PATH}]::after{content:none!important}[${AWAY}]{display:none!important}';
  document.head.append(style);
  for (const [number, { element: at, page, room }] of wanted.entries()) {
    const { element, display, written } = state.elements[at];
    const before = last.get(element);
    let own = element;
    if (before === undefined) shown.push([element, written]);
    else {
      own = element.cloneNode(true);
      drawn(element, own);
      before.after(own);
      made.push(own);
    }
    last.set(element, own);
    if (room !== null) {
      const box = document.createElement('platen-running-box');
      box.style.display = 'flow-root';
      own.before(box);
      box.append(own);
      held.push([box, own]);
      last.set(element, box);
    }
    own.removeAttribute('${RUNNING}');
    own.setAttribute('${INSTANCE}', number);
    own.style.cssText = written;
    const set = { display: blocks[display] ?? display, position: 'static', float: 'none', contain: room === null ? 'layout' : 'none' };
    for (const [name, value] of Object.entries(set)) own.style.setProperty(name, value, 'important');
    if (page !== null) {
      const { counterReset } = getComputedStyle(own);
      own.style.setProperty('counter-reset', (counterReset === 'none' ? '' : counterReset + ' ') + 'page ' + page + ' pages ' + total, 'important');
    }
  }
  const instances = [...document.querySelectorAll('[${INSTANCE}]')].map((element) => ({ element, number: Number(element.getAttribute('${INSTANCE}')) }));
  for (const width of new Set(wanted.map((instance) => instance.width))) {
    root.style.setProperty('width', width + 'px', 'important');
    for (const instance of instances) {
      const { width: whole, isFit } = wanted[instance.number];
      if (whole !== width) continue;
      if (isFit && instance.element.computedStyleMap().get('width')?.value === 'auto')
        instance.element.style.setProperty('width', 'fit-content', 'important');
      const { left, width: own, height } = instance.element.getBoundingClientRect();
      const { marginTop, marginBottom, marginRight } = getComputedStyle(instance.element);
      Object.assign(instance, { left: left - root.getBoundingClientRect().left, own, right: parseFloat(marginRight), top: parseFloat(marginTop), height: parseFloat(marginTop) + height + parseFloat(marginBottom) });
    }
  }
  root.style.removeProperty('width');
  const pages = new Map();
  for (const { element, number, left, own, top, height } of instances) {
    const across = Math.ceil(Math.max(wanted[number].width, left + own)) + 2 * slack, down = Math.ceil(Math.max(height, wanted[number].room?.height ?? 0)) + 2 * slack;
    const page = 'platen-running-' + across + '-' + down;
    pages.set(page, [across, down]);
    const set = (target, declarations) => {
      for (const [name, value] of Object.entries(declarations)) target.style.setProperty(name, value, 'important');
    };
    set(element, { width: own + 'px', 'min-width': '0', 'max-width': 'none', 'box-sizing': 'border-box' });
    const breaks = { 'break-before': 'page', 'break-inside': 'avoid', page };
    const { room, width } = wanted[number];
    if (room === null) set(element, { ...breaks, margin: slack + top + 'px 0 0 ' + (slack + left) + 'px' });
    else {
      const free = Math.max(0, room.height - height) * room.above;
      set(element, { margin: free + top + 'px 0 0 ' + left + 'px', 'break-before': 'auto' });
      set(element.parentElement, { all: 'unset', ...breaks, display: 'flow-root', position: 'relative', contain: 'layout', width: width + 'px', height: room.height + 'px', margin: slack + 'px 0 0 ' + slack + 'px' });
    }
  }
  const empty = ['top-left', 'top-center', 'top-right', 'right-top', 'right-middle', 'right-bottom', 'bottom-left', 'bottom-center', 'bottom-right', 'left-top', 'left-middle', 'left-bottom',
    'top-left-corner', 'top-right-corner', 'bottom-right-corner', 'bottom-left-corner'].map((name) => '@' + name + '{content:none!important}').join('');
  for (const [page, [across, down]] of pages)
    style.textContent += '@page ' + page + '{size:' + across + 'px ' + down + 'px!important;margin:0!important;padding:0!important;border:none!important;background:none!important;' + empty + '}';
  state.restore = () => {
    style.remove();
    for (const [box, element] of held) box.replaceWith(element);
    for (const element of made) element.remove();
    for (const [element, written] of shown) {
      element.style.cssText = written;
      element.removeAttribute('${INSTANCE}');
      element.setAttribute('${RUNNING}', '');
    }
    for (const [element, name] of flagged) element.removeAttribute(name);
    for (const [text, data] of texts) text.data = data;
  };
  return instances.map(({ number, left, own, right, height }) => ({ number, width: left + own + right, height }));`;

/** Body of a function that undoes `sheetScript`. */
export const RESTORING = `window.${STATE}.restore();`;
