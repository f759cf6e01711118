/** Determines from the text of a formula what it reads. */

/** Functions that call the network, another program or a library. */
const OUTSIDE_FUNCTIONS = new Set(['webservice', 'dde', 'call', 'register.id', 'rtd', 'sql.request']);
/** Schemes of addresses that can stand in a formula without quotes. */
const SCHEME = /^(?:file|smb|ftp|vnd\..*)$/i;
/** A quoted name that begins with a scheme, or with a path on the disk or a network. */
const QUOTED_PLACE = /^'\s*(?:[a-z][\w.+-]*:|\\\\|\/)/i;
/**
 * Returns whether a formula reads another file, the network or another program. OpenDocument quotes the
 * reference to another document and ends it with `#`; Excel puts it in square brackets, where a number is an
 * index into the workbook's own list.
 */
export function readsOutside(formula: string): boolean {
  const tokens = tokensOf(formula);
  let hasScheme = false;
  let hasBar = false;
  /** The position of the square bracket that encloses the current token; -1 if none. */
  let bracket = -1;
  // An unclosed quote may end elsewhere for another reader of the formula.
  if (tokens === null) return true;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.startsWith("'")) {
      if (next === '#' || QUOTED_PLACE.test(token)) return true;
      if (next === '!' && namesWorkbook(token)) return true;
    } else if (token === '(') {
      if (isOutsideFunction(tokens[index - 1] ?? '')) return true;
    } else if (token === ':') {
      hasScheme ||= SCHEME.test(tokens[index - 1] ?? '');
    } else if (token === '#') {
      if (hasScheme) return true;
    } else if (token === '[') {
      bracket = index;
    } else if (token === ']' && bracket >= 0) {
      const isOwnNumber = index === bracket + 2 && /^\d+$/.test(tokens[index - 1] ?? '');
      const beforeSheet = next === '!' || (tokens[index + 2] === '!' && /^[\w.]+$/.test(next ?? ''));
      if (!isOwnNumber && beforeSheet) return true;
      bracket = -1;
    } else if (token === '|') {
      // `program|topic!item` is a reference to another program (DDE). In braces the bar separates the rows of an array.
      hasBar = true;
    } else if (token === '}') {
      hasBar = false;
    } else if (token === '!' && hasBar) {
      return true;
    }
  }
  return false;
}

/** Returns whether a function name is on the list. Newer functions have prefixes (`_xlfn.WEBSERVICE`). */
function isOutsideFunction(name: string): boolean {
  const lower = name.toLowerCase().replace(/^_xl\w+\./, '');
  return OUTSIDE_FUNCTIONS.has(lower) || lower.startsWith('extern.');
}

/** Returns quoted names, texts, words and all other characters except white space; null if a quote is not closed. */
function tokensOf(formula: string): string[] | null {
  const tokens: string[] = [];
  const start = /[\w.]+|\S/g;
  for (let match = start.exec(formula); match !== null; match = start.exec(formula)) {
    const [token] = match;
    if (token !== "'" && token !== '"') {
      tokens.push(token);
      continue;
    }
    const end = endOfQuoted(formula, match.index, token);
    if (end === -1) return null;
    tokens.push(formula.slice(match.index, end));
    start.lastIndex = end;
  }
  return tokens;
}

/** Returns where the quoted text that begins here ends, with doubled quotes as one; -1 if it does not end. */
function endOfQuoted(formula: string, begin: number, quote: string): number {
  let at = formula.indexOf(quote, begin + 1);
  while (at !== -1 && formula[at + 1] === quote) at = formula.indexOf(quote, at + 2);
  return at === -1 ? -1 : at + 1;
}

/** `'[Book.xlsx]Sheet 1'` names another workbook; `'[1]Sheet 1'` names one of the list, which is checked separately. */
function namesWorkbook(quoted: string): boolean {
  return quoted.split('[').some((part, index) => index > 0 && !/^\d+\]/.test(part));
}
