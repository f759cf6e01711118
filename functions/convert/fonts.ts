import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontAliases } from '@platen/pdf/text';
import {
  readFontFile,
  EVERYDAY_FAMILIES,
  EVERYDAY_FOLDER,
  everydayFamily,
  prepareFonts,
} from '@platen/print/fonts';

/** Fonts that are part of the function, with one for every supported script. */
const FONTS = fileURLToPath(new URL('./fonts', import.meta.url));

/** A font configuration of an engine. */
export interface FontConfiguration {
  /** Path of `fonts.conf`. */
  file: string;
  /** Paths that it names and that the engine reads. */
  reads: readonly string[];
  /** Paths of the font caches, which the engine writes. */
  writes: readonly string[];
}

const WITHOUT_COLOUR =
  '<selectfont><rejectfont><pattern><patelt name="color"><bool>true</bool></patelt></pattern></rejectfont></selectfont>';

/**
 * Writes the font configuration for office documents: the fonts of the function, if it has some, besides
 * those of the machine.
 *
 * @param folder a writable folder, which also gets the font cache
 * @param withColour whether colour bitmap fonts may be used: an engine that cannot print them leaves a gap
 * @param fonts folder of the fonts layer
 * @returns the path of the configuration and the paths that it names
 */
export function fontConfiguration(folder: string, withColour: boolean, fonts = FONTS): FontConfiguration {
  const file = path.join(folder, 'platen-office-fonts.conf');
  const cache = path.join(folder, 'platen-office-fontcache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      // Fontconfig writes to the first writable cache folder: root could write to the machine's cache, with
      // file modes that nobody else can read.
      `<cachedir>${escapeXml(cache)}</cachedir>` +
      `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>` +
      (existsSync(fonts) ? `<dir>${escapeXml(path.join(fonts, 'files'))}</dir>` : '') +
      fontAliases('accept') +
      `${withColour ? '' : WITHOUT_COLOUR}</fontconfig>`,
  );
  return { file, reads: [file, fonts], writes: [cache] };
}

/**
 * Writes the configuration for a process with fonts of its own. They replace all other fonts of the same
 * family, as in html.
 *
 * @param shared the configuration of processes without fonts of their own
 * @param folder the process's folder: all files are written there and removed with it
 * @param fonts TrueType and OpenType files
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
  // The shared cache is read only; nothing about the document's own fonts is written to it.
  return { file, reads: [...shared.reads, ...shared.writes], writes: [] };
}

function pattern(name: string, value: string): string {
  return `<pattern><patelt name="${name}"><string>${escapeXml(value)}</string></patelt></pattern>`;
}

/** WebKit passes the language as a set of languages, which no rule for a single language matches. */
const TRADITIONAL =
  '<match target="pattern"><test name="lang" compare="contains"><string>zh-hant</string></test>' +
  '<edit name="lang" mode="assign"><string>zh-tw</string></edit></match>';

/**
 * Writes the configuration for html documents: only the fonts of the product, as in Chromium.
 *
 * @param folder a writable folder
 * @param fonts folder of the fonts layer
 * @returns null if the function has no fonts of its own
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
      `<include>${escapeXml(product)}</include>${everydayParts(fonts)}${await substitutes(folder)}${TRADITIONAL}</fontconfig>`,
  );
  const reads = [file, path.dirname(product), fonts, path.join(folder, SUBSTITUTE_LINKS)];
  return { file, reads, writes: caches };
}

/** Returns rules that make the everyday parts of fonts families of their own. */
function everydayParts(fonts: string): string {
  const folder = path.join(fonts, EVERYDAY_FOLDER);
  const families = Object.keys(EVERYDAY_FAMILIES).map(
    (family) =>
      `<match target="scan"><test name="file" compare="contains"><string>${escapeXml(`/${EVERYDAY_FOLDER}/${family}_`)}</string></test>` +
      `<edit name="family" mode="assign"><string>${everydayFamily(family)}</string></edit></match>`,
  );
  return `<dir>${escapeXml(folder)}</dir>${families.join('')}`;
}

/** The name of the folder with substitutes for fonts of the product. */
const SUBSTITUTE_LINKS = 'platen-web-substitutes';
const SUBSTITUTE_CACHE = 'platen-web-fontcache';

const DEBIAN_FONTS = '/usr/share/fonts/truetype/noto';

/**
 * WebKit draws the emoji of this font into PDFs; it leaves a gap for the product's own font, which has colour
 * layers (COLR 1).
 */
export const EMOJI = path.join(DEBIAN_FONTS, 'NotoColorEmoji.ttf');

/** Fonts of the product that WebKit cannot draw into PDFs, and the Debian fonts that replace them. */
const SUBSTITUTES = [{ product: '*/NotoColorEmoji_400Regular.ttf', files: [EMOJI] }];

/** Returns rules that replace the product's fonts by Debian's, if those are installed. */
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
