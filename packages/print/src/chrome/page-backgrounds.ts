/**
 * Chromium sizes the images behind pages by the height of the text instead of that of the page, so percentages,
 * `cover`, `center` and similar values are wrong. This computes them as lengths.
 * These statements are for `pageRulesScript`, in an asynchronous function, because the sizes of images are needed.
 */
export const PAGE_BACKGROUNDS = `
  const lookOf = ({ style }) => {
    const probe = document.createElement('div');
    probe.style.setProperty('display', 'none', 'important');
    for (const name of ['position', 'size', 'origin'])
      probe.style.setProperty('background-' + name, style.getPropertyValue('background-' + name), 'important');
    document.documentElement.append(probe);
    const { backgroundPosition: position, backgroundSize: size, backgroundOrigin: origin } = getComputedStyle(probe);
    probe.remove();
    return { position, size, origin };
  };
  const naturalSize = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode().catch(() => {});
    return { width: image.naturalWidth, height: image.naturalHeight };
  };
  // A length, a share, or the sum of both.
  const resolved = (text, share) => {
    const percent = Number(/(-?[\\d.]+)%/.exec(text)?.[1] ?? 0);
    const [, sign = '', length = 0] = /([-+]?) ?([\\d.]+)px/.exec(text) ?? [];
    return (percent * share) / 100 + Number(sign + length);
  };
  const pairOf = (text) => text.split(/ (?![^(]*\\))/);
  const areaOf = (rule, origin) => {
    const selectors = ['', ...(rule.selectorText.trim() === ':first' ? [':right'] : []), rule.selectorText.trim()];
    const size = boxOf(selectors.slice(1)) ?? sheet;
    const edges = (side, whole) => (margin(side, ...selectors.slice(1)) ?? otherwise[side]) +
      (origin === 'border-box' ? 0 : borderOf(side, selectors)) + (origin === 'content-box' ? paddingOf(side, selectors, whole) : 0);
    return {
      width: size.width - edges('left', size.width) - edges('right', size.width),
      height: size.height - edges('top', size.height) - edges('bottom', size.height),
    };
  };
  const placeBackground = async (rule) => {
    const { style } = rule;
    // Several pictures stay as they are.
    const [, written] = /^url\\("([^"]*)"\\)$/.exec(style.backgroundImage) ?? [];
    if (written === undefined) return;
    const base = rule.parentStyleSheet?.href ?? document.baseURI;
    const address = written.startsWith('data:') ? written : new URL(written, base).href;
    const { width, height } = await naturalSize(address);
    if (width === 0 || height === 0) return;
    const { position, size, origin } = lookOf(rule);
    const area = areaOf(rule, origin);
    const ratios = [area.width / width, area.height / height];
    const [across, down = 'auto'] = pairOf(size);
    const fitting = size === 'cover' ? Math.max(...ratios) : size === 'contain' ? Math.min(...ratios)
      : across !== 'auto' ? resolved(across, area.width) / width
      : down !== 'auto' ? resolved(down, area.height) / height : 1;
    const isBoth = across !== 'auto' && down !== 'auto';
    const drawn = { width: width * fitting, height: isBoth ? resolved(down, area.height) : height * fitting };
    const [left, top = '50%'] = pairOf(position);
    const place = [resolved(left, area.width - drawn.width), resolved(top, area.height - drawn.height)];
    const rank = style.getPropertyPriority('background-image');
    style.setProperty('background-size', drawn.width + 'px ' + drawn.height + 'px', rank);
    style.setProperty('background-position', place.map((length) => length + 'px').join(' '), rank);
  };
  for (const rule of applied) {
    try { await placeBackground(rule); } catch {}
  }`;
