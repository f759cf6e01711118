import type { IccProfile } from './picture.ts';

/** Colour space signatures of ICC profiles (ICC.1:2022, 7.2.6) by the number of components. */
const PROFILE_SPACES: Readonly<Record<number, string>> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' };

/**
 * Returns the profile if its kind matches the samples; null otherwise, because readers refuse such a pair.
 */
export function fittingProfile(bytes: Uint8Array, components: number): IccProfile | null {
  const signature = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 16, 20);
  return bytes.length >= 128 && signature === PROFILE_SPACES[components] ? { bytes, deflated: false } : null;
}
