/** Characters of a `font` that is read. */
const MAX_FONT = 1000;

/** The longhands of `font` (CSS Fonts Level 4, 2.7) that drawings use. */
export function fontShorthand(value: string): [string, string][] {
  if (value.length > MAX_FONT) return [];
  const size =
    // bounded: MAX_FONT characters
    /(?:^|\s)((?:\d*\.)?\d+(?:[a-z]+|%)|(?:xx?-)?(?:small|large)|medium|smaller|larger)(?:\s*\/\s*\S+)?\s+(.+)$/s.exec(
      value,
    );
  if (size === null) return [];
  const [, length = '', families = ''] = size;
  const words = value.slice(0, size.index).trim().split(/\s+/);
  const weight = words.find((word) => /^(?:bold|bolder|lighter|[1-9]\d{0,3})$/.test(word));
  const slant = words.find((word) => /^(?:italic|oblique)$/.test(word));
  const hasSmallCaps = words.includes('small-caps');
  return [
    ['font-style', slant ?? 'normal'],
    ['font-weight', weight ?? 'normal'],
    ['font-variant', hasSmallCaps ? 'small-caps' : 'normal'],
    ['font-size', length],
    ['font-family', families],
  ];
}
