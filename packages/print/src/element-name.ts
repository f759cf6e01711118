/**
 * Statements that run inside a loaded document: `nameOf(element)` returns a selector by which an author recognizes an
 * element.
 */
export const NAME_OF = `
  const nameOf = (element) => {
    const path = [];
    for (let next = element; next !== null && next !== document.documentElement && path.length < 4; next = next.parentElement) {
      const own = next.localName + (next.id && !next.id.startsWith('platen-mark-') ? '#' + next.id
        : [...next.classList].slice(0, 2).map((name) => '.' + name).join(''));
      const alike = next.parentElement === null || own.includes('#') ? []
        : [...next.parentElement.children].filter((other) => other.localName === next.localName);
      path.unshift(alike.length > 1 ? own + ':nth-of-type(' + (alike.indexOf(next) + 1) + ')' : own);
      if (own.includes('#')) break;
    }
    return path.join(' > ').slice(0, 200);
  };
`;
