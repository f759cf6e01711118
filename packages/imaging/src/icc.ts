import type { IccProfile } from './picture.ts';

/** Colour space signatures of ICC profiles (ICC.1:2022, 7.2.6) by the number of components. */
const PROFILE_SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' };

/**
 * Returns the profile if its kind matches the samples; null otherwise, because readers refuse such a pair.
 */
export function fittingProfile(bytes: Uint8Array, components: number): IccProfile | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = bytes.length >= 132 && file.toString('latin1', 16, 20) === PROFILE_SPACES[components];
  return fits && hasWhite(file) ? { bytes, deflated: false } : null;
}

/** The tags of a profile that defines red, green and blue alone by their places in CIE XYZ. */
const COLORANTS = ['rXYZ', 'gXYZ', 'bXYZ'];
/** Fixed-point numbers have 16 bits behind the point (4.6). */
const FIXED = 65_536;

/**
 * Returns whether red, green and blue together are about as bright as white, which has 1 (ICC.1:2022, F.3). Some
 * programs wrote profiles without numbers, which readers take for one colour.
 */
function hasWhite(profile: Buffer): boolean {
  const brightness = COLORANTS.map((tag) => brightnessOf(profile, tag));
  if (brightness.includes(null)) return true;
  const sum = brightness.reduce<number>((total, value) => total + (value ?? 0), 0);
  return sum > 0.8 && sum < 1.2;
}

/** Returns the Y of a colorant; null if the profile does not have it. */
function brightnessOf(profile: Buffer, tag: string): number | null {
  const count = profile.readUInt32BE(128);
  for (let at = 132; at < 132 + 12 * Math.min(count, MAX_TAGS) && at + 12 <= profile.length; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== tag) continue;
    const start = profile.readUInt32BE(at + 4);
    return start + 20 <= profile.length ? profile.readInt32BE(start + 12) / FIXED : null;
  }
  return null;
}

const MAX_TAGS = 200;
