import { NAME_OF } from '../in-document.ts';
import { FOOTNOTES_STATE } from '../contents/footnotes.ts';
import { NAMED } from '../losses.ts';
import { STATE } from './generated.ts';

/**
 * Elements whose tags Chromium writes without what their author says of them. It writes the label of a figure as its alternate
 * text, and of no other element: so elements of other types are figures while they are printed, and their label begins with the
 * type that they get afterwards (chrome/retagged.ts).
 */

/** What such a label begins with: a character for private use, which no author means. */
export const TYPED = '\u{e0f1}';

/** Elements in lines whose language Chromium tags without this. */
const TAGGED =
  'a,em,strong,code,mark,img,svg,math,input,button,select,textarea,video,audio,canvas,object,meter,progress';

/**
 * Body of a function that describes pictures, formulas, links, notes and languages for the next printing.
 *
 * @returns pictures and formulas without a text, and videos, of which Chromium tags nothing
 */
export const DESCRIBE = `
  ${NAME_OF}
  const { undo } = window.${STATE};
  const set = (element, name, value) => {
    const before = element.getAttribute(name);
    element.setAttribute(name, value);
    undo.push(() => (before === null ? element.removeAttribute(name) : element.setAttribute(name, before)));
  };
  const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim();
  const labelOf = (element) => {
    const others = (element.getAttribute('aria-labelledby') ?? '').split(/\\s+/).filter((id) => id !== '');
    return plain(others.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')) || plain(element.getAttribute('aria-label'));
  };
  const label = (element, role, text) => {
    set(element, 'role', role);
    if (element.hasAttribute('aria-labelledby')) set(element, 'aria-labelledby', '');
    set(element, 'aria-label', text);
  };
  const typed = (element, type, text, role = 'figure') => label(element, role, '${TYPED}' + type + ' ' + text);
  const isShown = (element) => element.getClientRects().length > 0 && element.closest('[aria-hidden=true]') === null &&
    element.closest('[role=presentation],[role=none]') !== element;
  const roots = [document];
  for (const root of roots)
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) roots.push(shadowRoot);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter(isShown);
  const pictures = [], formulas = [], most = ${NAMED};
  const isDescribed = (element) => element.parentElement?.closest('[role=img],[aria-label]:is(a,button)') != null;
  const described = (element, text) => {
    if (text !== '') label(element, 'img', text);
    else if (!isDescribed(element)) {
      if (pictures.length < most) pictures.push(nameOf(element));
      typed(element, 'Figure', '', 'img');
    }
  };
  const titleOf = (svg, name) => plain([...svg.children].find(({ localName }) => localName === name)?.textContent);
  const drawn = ':is(path,rect,circle,ellipse,line,polyline,polygon,text,image,use,foreignObject)';
  for (const svg of all('svg')) {
    const isOutermost = svg.parentElement?.closest('svg') == null;
    const { width, height } = svg.getBoundingClientRect();
    if (!isOutermost || width === 0 || height === 0) continue;
    if (![...svg.querySelectorAll(drawn)].some((shape) => shape.closest('defs,symbol,clipPath,mask,pattern,marker') === null)) continue;
    described(svg, labelOf(svg) || titleOf(svg, 'title') || titleOf(svg, 'desc'));
  }
  const isBlank = (canvas) => {
    const other = document.createElement('canvas');
    Object.assign(other, { width: canvas.width, height: canvas.height });
    // One with pictures of other origins cannot be read.
    try { return canvas.toDataURL() === other.toDataURL(); } catch { return false; }
  };
  for (const canvas of all('canvas').filter((one) => !isBlank(one))) described(canvas, labelOf(canvas) || plain(canvas.title) || plain(canvas.textContent));
  const videos = all('video').slice(0, most).map(nameOf);
  for (const bar of all('progress,meter')) {
    const value = plain(bar.textContent) || (bar.position === -1 ? '' : String(bar.value) + (bar.max === 1 ? '' : ' / ' + bar.max));
    const name = labelOf(bar) || plain([...bar.labels].map(({ textContent }) => textContent).join(' ')) || plain(bar.title);
    described(bar, [name, value].filter((text) => text !== '').join(': ') || bar.localName);
  }
  for (const math of all('math')) {
    const tex = [...math.querySelectorAll('annotation')].find(({ attributes }) => /tex|text/.test(attributes.encoding?.value));
    const text = plain(math.getAttribute('alttext')) || labelOf(math) || plain(tex?.textContent);
    if (text === '' && formulas.length < most) formulas.push(nameOf(math));
    typed(math, 'Formula', text);
  }
  for (const link of all('a[href]')) {
    const text = labelOf(link) || plain(link.title);
    // With another role, Chromium does not tag it as a link.
    if (text !== '' || link.hasAttribute('role')) typed(link, 'Link', text);
  }
  for (const element of all('[lang]:not([role])'))
    if (getComputedStyle(element).display.startsWith('inline') && !element.matches('${TAGGED}')) set(element, 'role', 'mark');
  for (const note of all('[role=doc-footnote]:not(li)')) typed(note, 'Note', '');
  for (const [at, { note, place, call, marker }] of (window.${FOOTNOTES_STATE}?.entries ?? []).entries()) {
    if (!note.isConnected || place.isConnected === false) continue;
    if (note.id === '') set(note, 'id', 'platen-note-' + at);
    // It is read after its call, wherever it stands.
    set(place, 'aria-owns', note.id);
    typed(note, 'Note', '');
    typed(call, 'Reference', '');
    typed(marker, 'Lbl', '');
  }
  return { pictures, formulas, videos };`;

/** Body of a function that takes back what the scripts have changed. */
export const UNDO = `
  for (const step of (window.${STATE}?.undo ?? []).reverse()) step();
  delete window.${STATE};
  return null;`;
