import { NAME_OF } from '../in-document.ts';
import { MIN_DPI } from '../observer.ts';
import { MARKS } from './destinations.ts';

/**
 * Body of a function that runs inside a loaded document and returns its layout faults as `LayoutFindings`; instead
 * of pages it names marks, whose pages are known once the document is printed.
 *
 * @param scale of the page
 * @param lacking characters to search for, which no font has
 */
export function layoutScript(scale: number, lacking: readonly string[]): string {
  return `${MARKS}
  const scale = ${scale}, missing = ${JSON.stringify(lacking)}, leastDpi = ${MIN_DPI};${BODY}`;
}

/** Maximum number of reported findings of one kind. */
const MOST = 100;

const BODY = `
  const most = ${MOST};
  const cm = (pixels) => Math.round(pixels * scale * 254 / 96) / 100;
${NAME_OF}  const root = document.documentElement;
  const wide = root.clientWidth;
  const overflow = [], images = [], missingGlyphs = [];
  // Addresses that hold what is no image: nobody is asked for them who could tell.
  const broken = new Set();
  const decoded = (image, address) => image.decode().then(() => image, () => {
    if (address.startsWith('data:') && broken.size < most) broken.add(address);
    return null;
  });
  const clips = (value) => value !== 'visible';
  // What is no longer told is not looked up either: to name an element, all beside it are counted.
  const told = (list, finding) => { if (list.length < most) list.push(finding()); };
  // Chromium does not tell the page of what begins beside of it: then of something in it, or of what is next to it.
  const begins = (element) => {
    const box = element.getClientRects()[0];
    return box !== undefined && box.left >= 0 && box.top + scrollY >= 0;
  };
  const onPage = (element) => {
    if (begins(element)) return element;
    const others = [element.firstElementChild, element.nextElementSibling, element.previousElementSibling, element.parentElement];
    return others.find((other) => other !== null && begins(other)) ?? element;
  };
  const outside = new Set();
  const overflows = (element, by) => {
    outside.add(element);
    told(overflow, () => ({ element: nameOf(element), page: markOf(onPage(element)), by: cm(by) }));
  };
  const isInside = (element, set) => {
    for (let next = element.parentElement; next !== null; next = next.parentElement) if (set.has(next)) return true;
    return false;
  };
  const cut = new Set();
  for (const element of document.body?.querySelectorAll('*') ?? []) {
    if (!(element instanceof HTMLElement) || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    if (style.visibility !== 'visible' || isInside(element, cut)) continue;
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    // Texts for readers aloud are in boxes of a pixel, or cut to nothing.
    const isHidden = clientWidth <= 2 || clientHeight <= 2 || style.clip !== 'auto' || style.clipPath !== 'none';
    const [cutsX, cutsY] = [clips(style.overflowX), clips(style.overflowY)];
    if (cutsX || cutsY) cut.add(element);
    if (style.display === 'inline') continue;
    const x = scrollWidth - clientWidth, y = scrollHeight - clientHeight;
    if ((cutsX && x > 1) || (cutsY && y > 1)) {
      if (!isHidden) overflows(element, Math.max(cutsX ? x : 0, cutsY ? y : 0));
      continue;
    }
    const box = element.getBoundingClientRect();
    if (isInside(element, outside)) continue;
    // What lies beyond the left or upper edge as a whole was put away on purpose.
    const out = Math.max(
      box.left < wide ? box.right - wide : 0,
      box.right > 0 ? -box.left : 0,
      box.bottom + scrollY > 0 ? -box.top - scrollY : 0,
    );
    if (out > 1) {
      overflows(element, out);
      continue;
    }
    const height = element.computedStyleMap().get('height');
    const isFixed = height instanceof CSSUnitValue && height.unit !== 'percent' && element !== document.body;
    if (isFixed && y > 2 && clientHeight > 2 && style.display !== 'table-cell') {
      overflows(element, y);
      continue;
    }
    // Text that is wider than its box.
    let right = -Infinity;
    for (const node of element.childNodes) {
      if (!(node instanceof Text) || node.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) right = Math.max(right, rect.right);
    }
    if (right > box.right + 1 && clientWidth > 0) overflows(element, right - box.right);
  }
  const coarse = (element, source, across, down) => {
    const dpi = Math.round(Math.min(across, down) * 96 / scale * 10) / 10;
    if (dpi > 0 && dpi < leastDpi) told(images, () => ({ element: nameOf(element), page: markOf(element), dpi, source }));
  };
  const isDrawing = (address) => /^data:image\\/svg|\\.svg([?#]|$)/i.test(address);
  // Sources with a density make the size smaller than the dots there are.
  const densityOf = (image) => {
    for (const candidate of image.srcset.split(/,\\s+/)) {
      const [address, descriptor = ''] = candidate.trim().split(/\\s+/);
      if (address && image.currentSrc.endsWith(address)) {
        if (/^[\\d.]+x$/.test(descriptor)) return parseFloat(descriptor);
        if (/^\\d+w$/.test(descriptor)) return parseFloat(descriptor) / image.naturalWidth;
      }
    }
    return 1;
  };
  for (const image of document.images) {
    const { naturalWidth, naturalHeight, currentSrc } = image;
    if (image.complete && naturalWidth === 0) await decoded(image, currentSrc);
    const style = getComputedStyle(image);
    const across = image.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const down = image.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    // One dot has nothing that could be coarse; it stands for images that are not there as well.
    if (naturalWidth <= 1 || naturalHeight <= 1 || across <= 0 || down <= 0 || isDrawing(currentSrc)) continue;
    const density = densityOf(image);
    const ratios = [(naturalWidth * density) / across, (naturalHeight * density) / down];
    const { objectFit } = style;
    const [x, y] = objectFit === 'contain' ? [Math.max(...ratios)] : objectFit === 'cover' ? [Math.min(...ratios)]
      : objectFit === 'none' ? [density] : ratios;
    coarse(image, currentSrc, x, y ?? x);
  }
  const backgrounds = new Map();
  for (const element of document.querySelectorAll('body, body *')) {
    const style = getComputedStyle(element);
    const address = /^url\\("((?:[^"\\\\]|\\\\.)*)"\\)$/.exec(style.backgroundImage)?.[1];
    if (address === undefined || isDrawing(address) || element.getClientRects().length === 0) continue;
    if (!backgrounds.has(address)) {
      const image = new Image();
      image.src = address;
      backgrounds.set(address, decoded(image, address));
    }
    const image = await backgrounds.get(address);
    if (image === null || image.naturalWidth <= 1 || image.naturalHeight <= 1) continue;
    const across = image.naturalWidth / element.clientWidth, down = image.naturalHeight / element.clientHeight;
    const size = style.backgroundSize;
    const length = /^([\\d.]+)(px|%)/.exec(size);
    const ratio = size === 'cover' ? Math.min(across, down) : size === 'contain' ? Math.max(across, down)
      : length === null ? 1
      : image.naturalWidth / (length[2] === 'px' ? Number(length[1]) : Number(length[1]) * element.clientWidth / 100);
    coarse(element, address, ratio, ratio);
  }
  // A font that the document has brought along may have any character.
  const isSure = ![...document.fonts].some(({ status }) => status === 'loaded');
  for (const character of isSure ? missing.slice(0, most) : []) {
    let at = null;
    const texts = document.createTreeWalker(document.body ?? root, NodeFilter.SHOW_TEXT);
    while (at === null && texts.nextNode()) if (texts.currentNode.data.includes(character)) at = texts.currentNode.parentElement;
    missingGlyphs.push({ character, page: at === null ? null : markOf(at) });
  }
  return { overflow, images, missingGlyphs, broken: [...broken] };`;
