import { type Credentials, credentialsOf as sentCredentials, ofOrigin } from '@platen/print/fetcher';
import type { MatchesAddress } from '@platen/print/fetcher/address-patterns';
import { type BrowserOptions, type PictureOptions, PICTURE_VIEWPORT } from '@platen/print';
import { PlatenError } from '@platen/core/errors';
import type { RenderingEngine, RenderOptions } from '@platen/contract/options';
import { isPicture, type OutputFormat } from './output.ts';

/** The options of a call that configure the browser (I-53). */

/** @returns null for the default configuration, which costs nothing */
export function browserOf(
  { wait_for: waitFor, media, viewport, javascript }: RenderOptions,
  output: OutputFormat,
): BrowserOptions | null {
  const isSeen = isPicture(output);
  const browser: BrowserOptions = {
    waitFor: waitFor ?? null,
    media: mediaType(media) ?? (isSeen ? 'screen' : null),
    ...(typeof media === 'object' ? { mediaFeatures: featuresOf(media.features) } : {}),
    viewport: viewport ?? (isSeen ? PICTURE_VIEWPORT : null),
    javascript: javascript ?? true,
  };
  const isOrdinary =
    browser.waitFor === null &&
    media === undefined &&
    !isSeen &&
    browser.viewport === null &&
    browser.javascript;
  return isOrdinary ? null : browser;
}

function mediaType(media: RenderOptions['media']): 'print' | 'screen' | undefined {
  return typeof media === 'object' ? media.type : media;
}

function featuresOf(features: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** @returns null if no picture is requested @throws PlatenError `option_not_supported` */
export function pictureOf(options: RenderOptions, format: OutputFormat): PictureOptions | null {
  if (!isPicture(format)) return null;
  const {
    full_page: fullPage = true,
    selector,
    device_scale: deviceScale = 1,
    quality,
    transparent,
  } = options;
  if (transparent === true && format === 'jpeg') {
    throw notHonoured('transparent', 'in a jpeg picture, but in png or webp');
  }
  if (quality !== undefined && format === 'png') {
    throw notHonoured('quality', 'in a png picture, but in jpeg or webp');
  }
  return {
    format,
    fullPage,
    selector: selector ?? null,
    deviceScale,
    transparent: transparent ?? false,
    quality: format === 'png' ? null : (quality ?? DEFAULT_QUALITY),
  };
}

const DEFAULT_QUALITY = 80;

/** Only Chrome reports script errors. @throws PlatenError `option_not_supported` */
export function checkFailOn({ fail_on: failOn = [] }: RenderOptions, engine: RenderingEngine): void {
  if (engine === 'webkit' && failOn.includes('console'))
    throw notHonoured('fail_on', 'for the console by webkit, but by chrome');
}

function notHonoured(option: string, where: string): PlatenError {
  const field = `render_options.${option}`;
  const message = `${field} cannot be honoured ${where}`;
  return new PlatenError('option_not_supported', `${message}.`, { faults: [{ field, message }] });
}

/**
 * Returns the cookies and headers of requests to an address; undefined for none.
 *
 * @throws PlatenError `invalid_option` for a pattern that cannot be used
 */
export async function credentialsOf({
  cookies = [],
  headers = [],
}: Pick<RenderOptions, 'cookies' | 'headers'>): Promise<Credentials | undefined> {
  const isFor = await addressesOf(headers);
  return sentCredentials(
    cookies,
    headers.map(({ name, value }, index) => ({ name, value, isFor: isFor[index] ?? (() => false) })),
  );
}

/** Returns for each header whether it is for an address. The engine of patterns is loaded on demand. */
async function addressesOf(headers: NonNullable<RenderOptions['headers']>): Promise<MatchesAddress[]> {
  if (headers.every(({ scope }) => scope === undefined))
    return headers.map(({ origin = '' }) => ofOrigin(origin));
  const { AddressPatterns, InvalidPattern } = await import('@platen/print/fetcher/address-patterns');
  const patterns = new AddressPatterns();
  return headers.map(({ origin = '', scope }, index) => {
    if (scope === undefined) return ofOrigin(origin);
    try {
      return patterns.compile(scope);
    } catch (error) {
      if (!(error instanceof InvalidPattern)) throw error;
      const field = `render_options.headers[${index}].scope`;
      const message = `${field} is not valid: ${error.message}`;
      throw new PlatenError('invalid_option', `${message}.`, { faults: [{ field, message }] });
    }
  });
}
