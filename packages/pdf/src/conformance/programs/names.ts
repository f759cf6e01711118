/**
 * Glyph names, and their codes in the Latin encodings (ISO 32000-1, annex D; Adobe Technical Note 5176, appendix
 * A).
 */

/** In the order of the SIDs of CFF, starting at 1. */
export const LATIN = (
  'space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk ' +
  'plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon ' +
  'less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft ' +
  'backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v ' +
  'w x y z braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin section ' +
  'currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash dagger ' +
  'daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ' +
  'ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent dieresis ring ' +
  'cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi ' +
  'lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn ' +
  'onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply ' +
  'threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex ' +
  'Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve ' +
  'Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex ' +
  'adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex ' +
  'idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex ' +
  'udieresis ugrave yacute ydieresis zcaron'
).split(' ');

/** The names of the Expert sets, which follow. */
const EXPERT = (
  'exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior ' +
  'parenrightsuperior twodotenleader onedotenleader zerooldstyle oneoldstyle twooldstyle threeoldstyle ' +
  'fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle commasuperior ' +
  'threequartersemdash periodsuperior questionsmall asuperior bsuperior centsuperior dsuperior esuperior ' +
  'isuperior lsuperior msuperior nsuperior osuperior rsuperior ssuperior tsuperior ff ffi ffl ' +
  'parenleftinferior parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall ' +
  'Dsmall Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall ' +
  'Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall ' +
  'exclamdownsmall centoldstyle Lslashsmall Scaronsmall Zcaronsmall Dieresissmall Brevesmall Caronsmall ' +
  'Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall Ringsmall Cedillasmall questiondownsmall ' +
  'oneeighth threeeighths fiveeighths seveneighths onethird twothirds zerosuperior foursuperior fivesuperior ' +
  'sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior oneinferior twoinferior threeinferior ' +
  'fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior centinferior ' +
  'dollarinferior periodinferior commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall ' +
  'Adieresissmall Aringsmall AEsmall Ccedillasmall Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall ' +
  'Igravesmall Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall ' +
  'Ocircumflexsmall Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall ' +
  'Udieresissmall Yacutesmall Thornsmall Ydieresissmall'
).split(' ');

/** Their characters (Adobe Glyph List). */
const CHARACTERS =
  ' !"#$%&’()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_‘abcdefghijklmnopqrstuvwxyz{|}~¡' +
  "¢£⁄¥ƒ§¤'“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿`´ˆ˜¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž";

const CODES = new Map([...CHARACTERS].map((char, index) => [LATIN[index] ?? '', char.codePointAt(0) ?? 0]));
const BY_CODE = new Map(Array.from(CODES, ([name, code]) => [code, name]));

/** Number of standard strings of CFF; the last ones are not glyph names. */
export const STANDARD_STRINGS = 391;

/** The name of a SID below `STANDARD_STRINGS`. */
export function standardName(sid: number): string {
  return sid === 0 ? NOTDEF : (LATIN[sid - 1] ?? EXPERT[sid - 1 - LATIN.length] ?? '');
}

/** The glyph for characters that a font does not have. */
export const NOTDEF = '.notdef';

/** The character for a glyph name; undefined if it is unknown. */
export function characterOf(name: string): number | undefined {
  const digits = /^(?:uni([\dA-F]{4})|u([\dA-F]{4,6}))$/.exec(name);
  return CODES.get(name) ?? (digits === null ? undefined : Number.parseInt(digits[1] ?? digits[2] ?? '', 16));
}

/** Names by codes from 0 to 255; undefined for unknown encodings. */
export type Encoding = readonly (string | undefined)[];

/** Runs of codes in the order of `LATIN`: the first code, the first number, and the length. */
const STANDARD_RUNS = [
  [32, 1, 95],
  [161, 96, 15],
  [177, 111, 4],
  [182, 115, 8],
  [191, 123, 1],
  [193, 124, 8],
  [202, 132, 2],
  [205, 134, 4],
  [225, 138, 1],
  [227, 139, 1],
  [232, 140, 4],
  [241, 144, 1],
  [245, 145, 1],
  [248, 146, 4],
] as const;

export const STANDARD: Encoding = (() => {
  const names = Array.from<string>({ length: 256 }).fill(NOTDEF);
  for (const [code, sid, count] of STANDARD_RUNS)
    for (let index = 0; index < count; index++) names[code + index] = standardName(sid + index);
  return names;
})();

/** Codes 128 to 159; unused ones are bullets. */
const WIN_128 = (
  'Euro bullet quotesinglbase florin quotedblbase ellipsis dagger daggerdbl circumflex perthousand Scaron guilsinglleft OE ' +
  'bullet Zcaron bullet bullet quoteleft quoteright quotedblleft quotedblright bullet endash emdash tilde trademark scaron ' +
  'guilsinglright oe bullet zcaron Ydieresis'
).split(' ');

export const WIN_ANSI: Encoding = Array.from({ length: 256 }, (_, code) => {
  if (code < 32) return NOTDEF;
  if (code === 127) return 'bullet';
  if (code === 160) return 'space';
  if (code === 173) return 'hyphen';
  return code < 128 || code > 159 ? BY_CODE.get(code) : WIN_128[code - 128];
});

const mac = new TextDecoder('macintosh');

export const MAC_ROMAN: Encoding = Array.from({ length: 256 }, (_, code) => {
  if (code < 32 || code === 127) return NOTDEF;
  if (code === 202) return 'space';
  return code === 219 ? 'currency' : BY_CODE.get(mac.decode(Uint8Array.of(code)).codePointAt(0) ?? 0);
});
