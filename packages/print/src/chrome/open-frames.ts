/** Maximum number of frames that are opened, and of elements in one of them. */
const MAX_FRAMES = 50;
const MAX_ELEMENTS = 2_000;

/**
 * Styles that keep a frame closed: what depends on its window, which its content does not have any more (lengths, fixed boxes,
 * queries, fonts), breaks, which would divide the document, and effects that print text several times or as a picture.
 */
const KEEPING = String.raw`/\d[dls]?v(?:w|h|min|max|i|b)\b|\bfixed\b|@media[^{]*(?:width|height|orientation|aspect)|@(?:font-face|import|container|page)|break-(?:before|after)|text-(?:shadow|stroke)|\b(?:filter|mask|background-clip)\b|box-reflect/i`;

/** Addresses in style sheets that are relative to something. */
const RELATIVE = String.raw`/url\(\s*["']?(?!["']?(?:data:|https?:|#))/i`;

/**
 * Body of a function that puts the content of frames into a loaded document.
 *
 * Chromium tags nothing in frames, and lists none of their headings. So the content of a frame whose document may be read
 * takes its place, with its styles in a shadow tree, if it looks the same there: each element has the same place, size and
 * colours. What cannot be copied (other frames, videos, fonts of its own) or depends on the window of the frame stays
 * in it.
 */
export const OPEN_FRAMES = `
  const keeps = ${KEEPING}, isRelative = ${RELATIVE};
  const folderOf = (one) => new URL('.', one.baseURI).href;
  const sheetText = (sheet) => {
    if (sheet.disabled) return '';
    const css = [...sheet.cssRules].map(({ cssText }) => cssText).join('\\n');
    return sheet.media.length === 0 ? css : '@media ' + sheet.media.mediaText + '{' + css + '}';
  };
  const stylesOf = (inner) => {
    try {
      const sheets = [...inner.styleSheets, ...(inner.adoptedStyleSheets ?? [])].map((sheet) => ({ css: sheetText(sheet), sheet }));
      if (sheets.some(({ css, sheet }) => sheet.href !== null && isRelative.test(css))) return null;
      return sheets.map(({ css }) => css).join('\\n');
    } catch { return null; }
  };
  const read = (inner) => {
    const root = inner?.documentElement;
    if (root == null || folderOf(inner) !== folderOf(document)) return null;
    const elements = [root, ...root.querySelectorAll('*')];
    const isOther = (element) => element.shadowRoot !== null || element.localName.includes('-') ||
      /^(?:i?frame|object|embed|video|audio|base)$/.test(element.localName);
    const css = stylesOf(inner);
    if (css === null || elements.length > ${MAX_ELEMENTS} || elements.some(isOther) || keeps.test(css)) return null;
    const sizeOf = (one) => getComputedStyle(one.documentElement).fontSize;
    const attributes = elements.map((element) => element.getAttribute('style') ?? '').join(';');
    if (keeps.test(attributes) || (/\\drem\\b/.test(css + attributes) && sizeOf(inner) !== sizeOf(document))) return null;
    return { root, elements, css };
  };
  const looksOf = (elements, { left, top }) => elements.map((element) => {
    const box = element.getBoundingClientRect(), { color, backgroundColor, fontFamily, visibility } = getComputedStyle(element);
    const places = [box.left - left, box.top - top, box.width, box.height];
    return { box: element.getClientRects().length === 0 ? [] : places, style: [color, backgroundColor, fontFamily, visibility].join() };
  });
  const copyOf = (frame, { root, elements, css }) => {
    const host = document.createElement('platen-frame'), inside = document.createElement('div'), style = document.createElement('style');
    const own = getComputedStyle(frame);
    for (const property of own) host.style.setProperty(property, own.getPropertyValue(property));
    host.style.display = own.display === 'inline' ? 'inline-block' : 'flow-root';
    host.style.breakInside = 'avoid';
    // Its baseline is its lower edge.
    host.style.contain = 'layout';
    inside.style.cssText = 'all:initial;display:flow-root;position:relative;height:100%;overflow:auto';
    // The root of the document has no root of its own here.
    style.textContent = css.replaceAll(':root', ':is(' + root.localName + ',.platen-root)');
    const copy = document.importNode(root, true), copies = [copy, ...copy.querySelectorAll('*')];
    for (const [at, one] of copies.entries()) {
      const from = elements[at];
      if (one.localName === 'style' || one.localName === 'script') one.textContent = '';
      if (one.localName === 'link') one.removeAttribute('href');
      if (one.localName === 'select') one.selectedIndex = from.selectedIndex;
      if (one.localName === 'canvas' && from.width > 0 && from.height > 0) one.getContext('2d').drawImage(from, 0, 0);
      // A place in the frame is none in the document.
      if (one.localName === 'a' && /^#/.test(one.getAttribute('href') ?? '')) one.setAttribute('href', '#platen-frame');
    }
    // The background of the root, or else of the body, is that of the whole frame (CSS Backgrounds 3, 2.11.2).
    const painted = [root, root.querySelector('body')].find((one) => one !== null &&
      (getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)' || getComputedStyle(one).backgroundImage !== 'none'));
    if (painted != null) inside.style.background = getComputedStyle(painted).background;
    inside.append(copy);
    host.attachShadow({ mode: 'open' }).append(style, inside);
    return { host, copies };
  };
  const loaded = async (copies) => {
    const addresses = copies.map((one) => /^url\\("((?:[^"\\\\]|\\\\.)*)"\\)$/.exec(getComputedStyle(one).backgroundImage)?.[1]).filter((address) => address !== undefined);
    const backgrounds = addresses.map((address) => Object.assign(new Image(), { src: address }));
    await Promise.all([...backgrounds, ...copies.filter(({ localName }) => localName === 'img')].map((image) => image.decode().catch(() => {})));
  };
  let opened = 0;
  for (const frame of [...document.querySelectorAll('iframe,object,embed')].slice(0, ${MAX_FRAMES})) {
    if (frame.getClientRects().length === 0 || getComputedStyle(frame).transform !== 'none') continue;
    let inner = null;
    try { inner = read(frame.contentDocument); } catch {}
    if (inner === null) continue;
    const before = looksOf(inner.elements, { left: 0, top: 0 });
    const size = document.documentElement.scrollHeight;
    const { host, copies } = copyOf(frame, inner);
    frame.after(host);
    const display = [frame.style.getPropertyValue('display'), frame.style.getPropertyPriority('display')];
    frame.style.setProperty('display', 'none', 'important');
    await loaded(copies);
    const after = looksOf(copies, host.shadowRoot.lastChild.getBoundingClientRect());
    // The root may begin below the margins that are in it, and has the height of its content.
    const isSame = document.documentElement.scrollHeight === size && after.every(({ box, style }, at) => style === before[at].style &&
      (at === 0 || copies[at].localName === 'body' || (box.length === before[at].box.length && box.every((value, edge) => Math.abs(value - before[at].box[edge]) <= 0.5))));
    if (isSame) opened += 1;
    else {
      host.remove();
      frame.style.setProperty('display', ...display);
    }
  }
  return opened;`;
