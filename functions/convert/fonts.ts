import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareFonts } from '../shared/font-folder.ts';

/** Fonts that come with the function: every script of the product has one. */
const FONTS = fileURLToPath(new URL('./fonts', import.meta.url));

/** Fonts as an engine is told of them. */
export interface FontConfiguration {
  /** `fonts.conf`. */
  file: string;
  /** Places it names, to be read. */
  reads: readonly string[];
  /** Places where what is found out about the fonts is kept. */
  writes: readonly string[];
}

const WITHOUT_COLOUR =
  '<selectfont><rejectfont><pattern><patelt name="color"><bool>true</bool></patelt></pattern></rejectfont></selectfont>';

/**
 * Writes the configuration of the fonts for office documents: those of the function, where some come with it, besides
 * those of the machine.
 *
 * @param folder writable; what is found out about the fonts is kept there too
 * @param withColour whether fonts with pictures for glyphs may be used: what cannot print them leaves a gap
 * @returns where it is, and what it names
 */
export function fontConfiguration(folder: string, withColour: boolean): FontConfiguration {
  const file = path.join(folder, 'platen-office-fonts.conf');
  const cache = path.join(folder, 'platen-office-fontcache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      // The first folder that can be written to is written to: root could write to the machine's, and does so with the
      // rights of files that nobody else is to read.
      `<cachedir>${escapeXml(cache)}</cachedir>` +
      `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>` +
      (existsSync(FONTS) ? `<dir>${escapeXml(FONTS)}</dir>` : '') +
      `${withColour ? '' : WITHOUT_COLOUR}</fontconfig>`,
  );
  return { file, reads: [file, FONTS], writes: [cache] };
}

/** In this order WebKit looks for a character that the fonts of its text do not have. */
const FALLBACKS = [
  'Noto Sans',
  'Noto Sans Arabic',
  'Noto Sans Devanagari',
  'Noto Sans Thai',
  'Noto Color Emoji',
  'Noto Sans Symbols',
  'Noto Sans Symbols 2',
  'Noto Sans Math',
];

/** WebKit says the language as a set of languages, which no rule for one of them matches. */
const TRADITIONAL =
  '<match target="pattern"><test name="lang" compare="contains"><string>zh-hant</string></test>' +
  '<edit name="lang" mode="assign"><string>zh-tw</string></edit></match>';

/**
 * The configuration for html documents: the fonts of the product and no others, as Chromium has them.
 *
 * @param folder writable
 * @param fonts folder of the fonts layer
 * @returns null where no fonts come with the function
 */
export async function webFontConfiguration(folder: string, fonts = FONTS): Promise<FontConfiguration | null> {
  if (!existsSync(fonts)) return null;
  const product = await prepareFonts(fonts, folder);
  const file = path.join(folder, 'platen-web-fonts.conf');
  const caches = [path.join(path.dirname(product), 'cache'), path.join(folder, EMOJI_CACHE)];
  for (const cache of caches) mkdirSync(cache, { recursive: true });
  const emoji = existsSync(EMOJI) ? await emojiConfiguration(folder) : '';
  const names = FALLBACKS.map((name) => `<string>${name}</string>`).join('');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      `<include>${escapeXml(product)}</include>${emoji}${TRADITIONAL}<match target="pattern">` +
      `<edit name="family" mode="append_last" binding="weak">${names}</edit></match></fontconfig>`,
  );
  const reads = [file, path.dirname(product), fonts, path.join(folder, EMOJI_LINKS)];
  return { file, reads, writes: caches };
}

/** WebKit draws the emoji of this one into PDFs; of the product's own, which are of layers (COLR 1), it leaves a blank. */
export const EMOJI = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';
const EMOJI_LINKS = 'platen-web-emoji';
const EMOJI_CACHE = 'platen-web-fontcache';
const PRODUCT_EMOJI = '*/NotoColorEmoji_400Regular.ttf';

async function emojiConfiguration(folder: string): Promise<string> {
  const place = path.join(folder, EMOJI_LINKS);
  await mkdir(place, { recursive: true });
  const link = path.join(place, path.basename(EMOJI));
  if (!existsSync(link)) await symlink(EMOJI, link);
  return (
    `<dir>${escapeXml(place)}</dir><cachedir>${escapeXml(path.join(folder, EMOJI_CACHE))}</cachedir>` +
    `<selectfont><rejectfont><glob>${PRODUCT_EMOJI}</glob></rejectfont></selectfont>`
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
