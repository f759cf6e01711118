/** What a formula of a sheet reads, told from its text. */

/** Functions that ask the network, another program or a library. */
const OUTSIDE_FUNCTIONS = new Set(['webservice', 'dde', 'call', 'register.id', 'rtd', 'sql.request']);
/** Schemes of addresses, as far as they can stand in a formula without quotes. */
const SCHEME = /^(?:file|smb|ftp|vnd\..*)$/i;
/** A name in quotes that begins with a scheme, or with a place of the disk or of a network. */
const QUOTED_PLACE = /^'\s*(?:[a-z][\w.+-]*:|\\\\|\/)/i;
/**
 * Whether a formula reads another file, the network or another program. The reference of another document is quoted and
 * ends with `#` in OpenDocument, and stands in square brackets in Excel, where a number is one of the workbook's own list.
 */
export function readsOutside(formula: string): boolean {
  const tokens = tokensOf(formula);
  let hasScheme = false;
  let hasBar = false;
  /** Where the square brackets begin that the current token is in. */
  let bracket = -1;
  // What is not closed may end elsewhere for another reader of the formula.
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
      // `program|topic!item`: a reference to another program (DDE). In braces it parts the rows of an array.
      hasBar = true;
    } else if (token === '}') {
      hasBar = false;
    } else if (token === '!' && hasBar) {
      return true;
    }
  }
  return false;
}

/** The names have prefixes where they are newer than the format (`_xlfn.WEBSERVICE`). */
function isOutsideFunction(name: string): boolean {
  const lower = name.toLowerCase().replace(/^_xl\w+\./, '');
  return OUTSIDE_FUNCTIONS.has(lower) || lower.startsWith('extern.');
}

/** Quoted names, texts, words and all other characters but white space; null where a quote is not closed. */
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

/** Where the text in quotes ends that begins here, in which two quotes are one; -1 where it does not. */
function endOfQuoted(formula: string, begin: number, quote: string): number {
  let at = formula.indexOf(quote, begin + 1);
  while (at !== -1 && formula[at + 1] === quote) at = formula.indexOf(quote, at + 2);
  return at === -1 ? -1 : at + 1;
}

/** `'[Book.xlsx]Sheet 1'` names another workbook, `'[1]Sheet 1'` one of the list that is looked at by itself. */
function namesWorkbook(quoted: string): boolean {
  return quoted.split('[').some((part, index) => index > 0 && !/^\d+\]/.test(part));
}
