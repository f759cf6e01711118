/**
 * Statements that leave elements with gradients of transparent colours in `darkened`: WebKitGTK 2.50 writes their colours into
 * the PDF as multiplied with their opacity, and then applies the opacity, too. Black stays black.
 */
export const DARKENED = `
  const darkened = [];
  const isDarkened = (gradient) => {
    const colours = gradient.match(/rgba?\\([^()]*\\)|color\\([^()]*\\)|transparent/g) ?? [];
    return colours.some((colour) => /^rgba|\\/|transparent/.test(colour)) && colours.some((colour) => !/^rgba?\\(0, 0, 0\\b|transparent/.test(colour));
  };
  for (const element of document.querySelectorAll('*')) {
    const looks = element.getClientRects().length === 0 ? [] : [undefined, '::before', '::after'].map((part) => getComputedStyle(element, part));
    if (looks.some(({ backgroundImage, borderImageSource, content }, part) => (part === 0 || content !== 'none') && (backgroundImage + borderImageSource).match(/-gradient\\((?:[^()]|\\([^()]*\\))*\\)/g)?.some(isDarkened)))
      note(darkened, element);
  }`;
