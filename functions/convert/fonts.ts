import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFontFile } from '@platen/print/fonts/font-file';
import { prepareFonts } from '@platen/print/font-folder';

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

/**
 * The configuration for a process that has fonts of its own besides. Of a family that they have, there are no others, as
 * in html.
 *
 * @param shared that of processes without
 * @param folder of the process: all that is written is written there, and gone with it
 * @param fonts files of TrueType and OpenType
 */
export async function withOwnFonts(
  shared: FontConfiguration,
  folder: string,
  fonts: readonly Uint8Array[],
): Promise<FontConfiguration> {
  const file = path.join(folder, 'fonts.conf');
  const own = path.join(folder, 'fonts');
  const cache = path.join(folder, 'fontcache');
  await Promise.all([mkdir(own), mkdir(cache)]);
  const kept = fonts.map((bytes, index) => {
    const { format, faces } = readFontFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return {
      place: path.join(own, `${index}.${format}`),
      families: faces.map(({ family }) => family),
      bytes,
    };
  });
  const families = new Set(kept.flatMap((font) => font.families));
  const places = kept.map(({ place }) => place);
  const patterns = (name: string, values: Iterable<string>): string =>
    Array.from(values, (value) => pattern(name, value)).join('');
  await Promise.all([
    ...kept.map(({ place, bytes }) => writeFile(place, bytes)),
    writeFile(
      file,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
        `<cachedir>${escapeXml(cache)}</cachedir><dir>${escapeXml(own)}</dir>` +
        `<include>${escapeXml(shared.file)}</include>` +
        `<selectfont><acceptfont>${patterns('file', places)}</acceptfont>` +
        `<rejectfont>${patterns('family', families)}</rejectfont></selectfont></fontconfig>`,
    ),
  ]);
  // What was found out about the fonts of all is read, and nothing of these is written there.
  return { file, reads: [...shared.reads, ...shared.writes], writes: [] };
}

function pattern(name: string, value: string): string {
  return `<pattern><patelt name="${name}"><string>${escapeXml(value)}</string></patelt></pattern>`;
}

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
  const caches = [path.join(path.dirname(product), 'cache'), path.join(folder, SUBSTITUTE_CACHE)];
  for (const cache of caches) mkdirSync(cache, { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      `<include>${escapeXml(product)}</include>${await substitutes(folder)}${TRADITIONAL}</fontconfig>`,
  );
  const reads = [file, path.dirname(product), fonts, path.join(folder, SUBSTITUTE_LINKS)];
  return { file, reads, writes: caches };
}

/** Folders of what stands in for fonts of the product. */
const SUBSTITUTE_LINKS = 'platen-web-substitutes';
const SUBSTITUTE_CACHE = 'platen-web-fontcache';

const DEBIAN_FONTS = '/usr/share/fonts/truetype/noto';

/** WebKit draws the emoji of this one into PDFs; of the product's own, which are of layers (COLR 1), it leaves a blank. */
export const EMOJI = path.join(DEBIAN_FONTS, 'NotoColorEmoji.ttf');

/** Fonts of the product that WebKit cannot draw into PDFs, and Debian's that it can. */
const SUBSTITUTES = [{ product: '*/NotoColorEmoji_400Regular.ttf', files: [EMOJI] }];

/** Rules that put Debian's fonts, where they are installed, in the place of the product's. */
async function substitutes(folder: string): Promise<string> {
  const place = path.join(folder, SUBSTITUTE_LINKS);
  await mkdir(place, { recursive: true });
  const rejected: string[] = [];
  for (const { product, files } of SUBSTITUTES) {
    if (!files.every((file) => existsSync(file))) continue;
    rejected.push(`<glob>${product}</glob>`);
    for (const file of files) {
      const link = path.join(place, path.basename(file));
      if (!existsSync(link)) await symlink(file, link);
    }
  }
  return (
    `<dir>${escapeXml(place)}</dir><cachedir>${escapeXml(path.join(folder, SUBSTITUTE_CACHE))}</cachedir>` +
    (rejected.length === 0 ? '' : `<selectfont><rejectfont>${rejected.join('')}</rejectfont></selectfont>`)
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
