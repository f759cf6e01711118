import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Fonts that come with the function, besides those of the machine: every script of the product has one. */
const FONTS = fileURLToPath(new URL('./fonts', import.meta.url));

const WITHOUT_COLOUR =
  '<selectfont><rejectfont><pattern><patelt name="color"><bool>true</bool></patelt></pattern></rejectfont></selectfont>';

/**
 * Writes the configuration of the fonts.
 *
 * @param folder writable; what is found out about the fonts is kept there too
 * @param withColour whether fonts with pictures for glyphs may be used: what cannot print them leaves a gap
 * @returns its path; null where no fonts come with the function, which then has the machine's
 */
export function fontConfiguration(folder: string, withColour: boolean): string | null {
  if (!existsSync(FONTS)) return null;
  const file = path.join(folder, 'platen-office-fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>` +
      `<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${escapeXml(FONTS)}</dir>` +
      (withColour ? '' : WITHOUT_COLOUR) +
      `<cachedir>${escapeXml(path.join(folder, 'platen-office-fontcache'))}</cachedir></fontconfig>`,
  );
  return file;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
