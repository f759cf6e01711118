/**
 * Characters of copied text. Where a font has a glyph under several characters, WebKit (cairo) writes one of them into the PDF
 * that is not meant: a radical in place of the ideograph that looks the same (⽇ for 日), and the form that an Arabic letter
 * has at its place. Such text is not found.
 */

/** Radicals without a compatibility decomposition, each with its ideograph (Unicode 15, EquivalentUnifiedIdeograph). */
const IDEOGRAPHS = Array.from(
  '⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇𠘨⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑𡯂⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪𤴔⺫目⺬示' +
    '⺭礻⺮𥫗⺯糹⺰纟⺱罓⺲罒⺳㓁⺴冗⺵𦉫⺶羊⺷𦍌⺸𦍋⺹耂⺺肀⺻聿⺼肉⺽𦥑⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇𧢲⻈讠⻉贝⻊𧾷⻋车⻌辶⻍辶⻎辶⻏邑⻐钅⻑長⻒镸⻓长⻔门⻕𨸏⻖阝' +
    '⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞𩙿⻟飠⻠饣⻡𩠐⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀',
);
const IDEOGRAPH_OF = new Map(
  IDEOGRAPHS.flatMap((radical, at): [string, string][] =>
    at % 2 === 0 ? [[radical, IDEOGRAPHS[at + 1] ?? radical]] : [],
  ),
);

/** Ligatures that fonts keep under characters for private use. */
const LIGATURES: Readonly<Record<string, string>> = { '\uf001': 'fi', '\uf002': 'fl' };

/** A radical (U+2E80 to U+2FD5), a ligature, or an Arabic form (U+FB50 to U+FEFC). */
const IS_OTHER = /^(?:2[EF]|F00[12]|F[BCDE])/i;
/** A line of a CMap: the code of a glyph, or of the first and the last one of a range, and the character of the first one. */
const ENTRY = /^<([\dA-F]{4})> (?:<([\dA-F]{4})> )?<([\dA-F]{4})>$/gim;
const IS_ARABIC = /^\p{Script=Arabic}$/u;

/**
 * Returns a CMap (ISO 32000-1, 9.10.3) with ideographs and letters in place of the radicals and forms that a document does
 * not have.
 *
 * @param text of the document, with its markup
 */
export function withMeantCharacters(cmap: string, text: string): string {
  return cmap.replaceAll(ENTRY, (entry, first: string, last: string | undefined, code: string) => {
    const begin = Number.parseInt(code, 16);
    const length = last === undefined ? 1 : Number.parseInt(last, 16) - Number.parseInt(first, 16) + 1;
    const codes = Array.from({ length: Math.max(0, length) }, (_, at) =>
      hex(String.fromCharCode(begin + at)),
    );
    const meant = codes.map((one) => meantCode(one, text));
    if (meant.every((one, at) => one === codes[at])) return entry;
    return last === undefined
      ? `<${first}> <${meant[0]}>`
      : `<${first}> <${last}> [${meant.map((one) => `<${one}>`).join(' ')}]`;
  });
}

/** Returns the code of the character that is meant, which is the same one for most. */
function meantCode(code: string, text: string): string {
  const found = String.fromCodePoint(Number.parseInt(code, 16));
  if (!IS_OTHER.test(code) || text.includes(found)) return code;
  const meant = IDEOGRAPH_OF.get(found) ?? LIGATURES[found] ?? found.normalize('NFKC');
  if ([...meant].length > 2 || (/^FB/i.test(code) && !IS_ARABIC.test(meant))) return code;
  return hex(meant);
}

/** Returns a text in UTF-16 as hexadecimal digits. */
function hex(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase();
}

/** Returns whether a CMap has a glyph that stands for no character. */
export function lacksCharacters(cmap: string): boolean {
  return /> <0000>/.test(cmap);
}
