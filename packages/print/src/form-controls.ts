import * as z from 'zod';
import { NAME_OF } from './in-document.ts';

/**
 * The controls of a loaded document that become fields of its PDF (I-48), as scripts. Each control gets an outline in a
 * colour of its own, by which it is found in the printed content, and its text is moved out of it. An outline takes no
 * room, so the layout stays as it is.
 */

/** Property of the window that the scripts share. */
const STATE = '__platenControls';
const MARKED = 'data-platen-control';

/** Width of the outlines in CSS pixels: an unusual one. */
export const OUTLINE = 7;
/** Maximum numbers of controls, of options of one, and of named controls. */
export const MAX_CONTROLS = 10_000;
const MAX_OPTIONS = 5_000;
const MAX_NAMED = 200;
/** Maximum characters of a description, and of a name in a warning. */
const MAX_LABEL = 500;
const MAX_SAID = 40;

const length = z.number().min(0).max(1e6);
const channel = z.number().min(0).max(255);
const colour = z.tuple([channel, channel, channel]);
const text = z.string();

/** Room of the arrow of a list, in CSS pixels. */
const ARROW = 18;

/** A control in its own CSS pixels; scripts of the document may have changed the data. */
const controlSchema = z.object({
  kind: z.enum(['text', 'checkbox', 'radio', 'choice', 'list']),
  /** `name`, else `id`, else empty. */
  name: text,
  /** The controls of one form. */
  form: z.number(),
  value: text,
  isOn: z.boolean(),
  options: z.array(z.object({ value: text, label: text, isChosen: z.boolean() })).max(MAX_OPTIONS),
  isMultiple: z.boolean(),
  isMultiline: z.boolean(),
  isPassword: z.boolean(),
  maxLength: z.number().nullable(),
  isReadOnly: z.boolean(),
  isRequired: z.boolean(),
  label: text.transform((said) => said.slice(0, MAX_LABEL)),
  /** Label of its group. */
  legend: text.transform((said) => said.slice(0, MAX_LABEL)),
  /** What an author recognizes it by. */
  said: text,
  /** Width of its border box. */
  width: length,
  border: z.object({ left: length, right: length, top: length, bottom: length }),
  padding: z.object({ left: length, right: length, top: length, bottom: length }),
  fontSize: length,
  fontFamily: text,
  isBold: z.boolean(),
  isItalic: z.boolean(),
  colour,
  edge: colour,
  alignment: z.enum(['left', 'center', 'right']),
});

/** A control that may become a field. */
export type Control = z.infer<typeof controlSchema>;

/** The result of `listingScript`. */
export const listedSchema = z.object({
  controls: z.array(controlSchema).max(MAX_CONTROLS),
  /** Controls that stay as they are printed. */
  left: z.array(text),
});

/** Two channels of the colours of the outlines; the others are the number of the control. */
export const outlineColour = (red: number, control: number): [number, number, number] => [
  red,
  control >> 8,
  control & 255,
];

/**
 * Body of a function that lists the visible controls and marks them, and returns data of `listedSchema`.
 *
 * @param red channel of the colours of the outlines
 * @param highest height of a page in CSS pixels: higher controls are cut
 */
export function listingScript(red: number, highest: number): string {
  return `const red = ${red}, highest = ${highest};${NAME_OF}${LISTING}`;
}

const LISTING = `
  const controls = [], left = [], marked = [];
  window.${STATE} = marked;
  const saidOf = (element) => {
    const name = (element.name || element.id || (element.localName === 'button' ? element.textContent.trim() : '')).slice(0, ${MAX_SAID});
    return name === '' ? nameOf(element) : (element.localName === 'input' ? element.type : element.localName) + ' ' + name;
  };
  const leave = (element) => { if (left.length < ${MAX_NAMED}) left.push(saidOf(element)); };
  const px = (value) => Math.max(0, parseFloat(value) || 0);
  const sides = (style, before, after) => Object.fromEntries(['left', 'right', 'top', 'bottom'].map((side) =>
    [side, px(style.getPropertyValue(before + side + after))]));
  const NATIVE = [118, 118, 118];
  const rgb = (value, otherwise) => {
    const numbers = /^rgba?\\(([\\d.]+), ([\\d.]+), ([\\d.]+)(?:, ([\\d.]+))?/.exec(value)?.slice(1).map(Number);
    return numbers === undefined || numbers[3] === 0 ? otherwise : numbers.slice(0, 3);
  };
  const CONTROLS = 'input,select,textarea,button';
  const wordsOf = (element) => {
    const copy = element.cloneNode(true);
    for (const other of copy.querySelectorAll(CONTROLS + ',script,style')) other.remove();
    return copy.textContent.replace(/\\s+/g, ' ').trim();
  };
  const labelOf = (element) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\\s+/).filter((id) => id !== '');
    const named = ids.map((id) => document.getElementById(id)).filter((other) => other !== null).map(wordsOf).join(' ');
    const labels = [...(element.labels ?? [])].map(wordsOf).filter((words) => words !== '').join(' ');
    return named || element.getAttribute('aria-label')?.trim() || labels || element.title.trim() || element.placeholder?.trim() || '';
  };
  const legendOf = (element) => {
    const group = element.closest('fieldset,[role=radiogroup]');
    const legend = group?.querySelector(':scope > legend');
    return group?.getAttribute('aria-label') ?? (legend ? wordsOf(legend) : '');
  };
  const isShown = (element) => element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });
  /** What makes a picture of a control, cuts it off or hides it. */
  const isAltered = (element) => {
    const box = element.getBoundingClientRect();
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (Number(style.opacity) < 1 || style.filter !== 'none' || style.backdropFilter !== 'none' || style.mixBlendMode !== 'normal' ||
        style.clipPath !== 'none' || style.clip !== 'auto' || style.maskImage !== 'none' || style.transform.startsWith('matrix3d')) return true;
      if (at === element || at === document.body || at === document.documentElement) continue;
      const outer = at.getBoundingClientRect();
      if ((style.overflowX !== 'visible' && (box.left < outer.left - 1 || box.right > outer.right + 1)) ||
        (style.overflowY !== 'visible' && (box.top < outer.top - 1 || box.bottom > outer.bottom + 1))) return true;
    }
    return false;
  };
  const TEXTS = ['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'month', 'week', 'time', 'datetime-local'];
  const kindOf = (element) => {
    if (element.localName === 'textarea') return 'text';
    if (element.localName === 'select') return element.multiple || element.size > 1 ? 'list' : 'choice';
    if (element.localName !== 'input') return null;
    return element.type === 'checkbox' || element.type === 'radio' ? element.type : TEXTS.includes(element.type) ? 'text' : null;
  };
  const alignmentOf = ({ textAlign, direction }) => {
    if (/center/.test(textAlign)) return 'center';
    return /right/.test(textAlign) || (textAlign === 'end') !== (direction === 'rtl') && !/left/.test(textAlign) ? 'right' : 'left';
  };
  const isBox = (kind) => kind === 'checkbox' || kind === 'radio';
  const ASIDE = { 'text-indent': '-9999999px', 'text-align': 'start', 'white-space': 'nowrap', 'text-shadow': 'none' };
  const GONE = { appearance: 'none', background: 'none', 'border-color': 'transparent', 'box-shadow': 'none' };
  /** A box of the browser stands on its line with its border, and any other box with its margin. */
  const onLine = ({ appearance, verticalAlign, marginBottom }) => {
    const raised = verticalAlign === 'baseline' ? 0 : parseFloat(verticalAlign);
    const isPlain = appearance === 'none' || Number.isNaN(raised) || verticalAlign.endsWith('%');
    return isPlain ? {} : { 'vertical-align': raised - parseFloat(marginBottom) + 'px' };
  };
  /** All are changed, then all are measured: the layout is made anew as few times as possible. */
  const markAll = () => {
    const setter = ({ style }) => (declarations) => {
      for (const [name, said] of Object.entries(declarations)) style.setProperty(name, said, 'important');
    };
    const boxOf = ({ element }) => element.getBoundingClientRect();
    for (const control of marked) control.line = isBox(control.kind) ? onLine(getComputedStyle(control.element)) : {};
    for (const [number, { element, kind, line, value }] of marked.entries()) {
      // Widths are rounded down to whole pixels.
      const width = ${OUTLINE + 0.2} / (element.currentCSSZoom ?? 1);
      const outline = { outline: width + 'px solid rgb(' + [red, number >> 8, number & 255] + ')', 'outline-offset': '0' };
      setter(element)({ ...line, ...(isBox(kind) ? GONE : kind === 'list' ? {} : ASIDE), ...outline });
      // Lines after the first one would stay.
      if (value) element.value = ' ';
      element.setAttribute('${MARKED}', '');
    }
    const isOther = (a, b) => Math.abs(a - b) > 0.1;
    const sized = marked.map((control) => ({ ...control, now: boxOf(control) }))
      .filter(({ before, now }) => isOther(before.width, now.width) || isOther(before.height, now.height));
    for (const { element, size } of sized) setter(element)({ 'box-sizing': 'border-box', width: size.width + 'px', height: size.height + 'px' });
    // Of controls that are enlarged.
    const shares = sized.map(({ element, size, before }) => {
      const now = element.getBoundingClientRect();
      return { element, width: size.width * before.width / now.width, height: size.height * before.height / now.height };
    });
    for (const { element, width, height } of shares) setter(element)({ width: width + 'px', height: height + 'px' });
    const moved = marked.map((control) => ({ ...control, now: boxOf(control) }))
      .filter(({ before, now }) => isOther(before.x, now.x) || isOther(before.y, now.y));
    for (const { element, before, now } of moved)
      setter(element)({ position: 'relative', left: before.x - now.x + 'px', top: before.y - now.y + 'px', right: 'auto', bottom: 'auto' });
  };
  const take = (element) => {
    const kind = kindOf(element);
    if (element.type === 'hidden') return;
    if (!isShown(element)) {
      // A control that is not there, and whose label is, is drawn otherwise.
      if (isBox(kind) && [...element.labels].some(isShown)) leave(element);
      return;
    }
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    const isSquare = box.width < box.height * 1.5 && box.height < box.width * 1.5;
    if (kind === null || box.width < 4 || box.height < 4 || box.height > highest || (isBox(kind) && !isSquare) ||
      controls.length >= ${MAX_CONTROLS} || element.options?.length > ${MAX_OPTIONS} ||
      element.closest('[data-platen-running]') !== null || isAltered(element)) {
      leave(element);
      return;
    }
    const border = sides(style, 'border-', '-width'), padding = sides(style, 'padding-', '');
    const isContent = style.boxSizing === 'content-box';
    const size = {
      width: px(style.width) + (isContent ? border.left + border.right + padding.left + padding.right : 0),
      height: px(style.height) + (isContent ? border.top + border.bottom + padding.top + padding.bottom : 0),
    };
    // The room that a browser leaves for the arrow of a list, and before its text.
    if (kind === 'choice') {
      const isNative = style.appearance !== 'none', isTurned = style.direction === 'rtl';
      padding.left += isNative ? (isTurned ? ${ARROW} : 4) : 0;
      padding.right += isNative ? (isTurned ? 4 : ${ARROW}) : 0;
    }
    const isPassword = element.type === 'password', isMultiline = element.localName === 'textarea';
    const isDrawn = style.appearance === 'none' && border.top > 0;
    controls.push({
      kind,
      name: element.name || element.id,
      form: element.form === null ? -1 : [...document.forms].indexOf(element.form),
      // Readers do not keep what is entered into such a field (ISO 32000-1, table 228).
      value: isPassword ? '' : element.value,
      isOn: element.checked === true,
      options: [...(element.options ?? [])].map((option) => ({ value: option.value, label: option.label || option.text, isChosen: option.selected })),
      isMultiple: element.multiple === true && kind === 'list',
      isMultiline,
      isPassword,
      maxLength: element.maxLength > 0 ? element.maxLength : null,
      isReadOnly: element.matches(':disabled') || element.readOnly === true && !isBox(kind),
      isRequired: element.required === true,
      label: labelOf(element),
      legend: legendOf(element),
      said: saidOf(element),
      width: size.width,
      border,
      padding,
      fontSize: px(style.fontSize),
      fontFamily: style.fontFamily,
      isBold: Number(style.fontWeight) >= 600,
      isItalic: style.fontStyle !== 'normal',
      colour: rgb(style.webkitTextFillColor, [0, 0, 0]),
      edge: isDrawn ? rgb(style.borderTopColor, NATIVE) : NATIVE,
      alignment: alignmentOf(style),
    });
    marked.push({ element, kind, size, before: box, cssText: element.style.cssText, value: isMultiline ? element.value : null });
  };
  /** Controls in trees and frames of their own, where no mark is set. */
  const leaveWithin = (root) => {
    for (const element of root.querySelectorAll(CONTROLS)) if (element.type !== 'hidden' && isShown(element)) leave(element);
  };
  for (const element of document.querySelectorAll('*')) {
    if (element.matches(CONTROLS)) take(element);
    else if (element.shadowRoot !== null) leaveWithin(element.shadowRoot);
    else if (element.localName === 'iframe' && element.contentDocument !== null) leaveWithin(element.contentDocument);
  }
  const sheet = new CSSStyleSheet();
  const parts = ['::before', '::after', '::-webkit-datetime-edit', '::-webkit-calendar-picker-indicator', '::-webkit-inner-spin-button', '::-webkit-search-cancel-button', ' :is(option,optgroup)'];
  sheet.replaceSync(parts.map((part) => '[${MARKED}]' + part).join(',') + '{visibility:hidden!important}' +
    '[${MARKED}]::placeholder{opacity:0!important}');
  document.adoptedStyleSheets.push(sheet);
  markAll();
  return { controls, left };`;

/** Body of a function that removes the marks of controls, which are printed as they were. */
export function leavingScript(controls: readonly number[] | 'all'): string {
  const numbers = controls === 'all' ? `window.${STATE}.keys()` : JSON.stringify(controls);
  return `
  for (const number of ${numbers}) {
    const { element, cssText, value } = window.${STATE}[number];
    if (cssText === '') element.removeAttribute('style');
    else element.style.cssText = cssText;
    element.removeAttribute('${MARKED}');
    if (value !== null) element.value = value;
  }`;
}
