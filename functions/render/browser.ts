import type { Credentials } from '@platen/print/fetcher';
import type { BrowserOptions, PictureOptions } from '@platen/print/browser-options';
import { PICTURE_VIEWPORT } from '@platen/print/browser-options';
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
    media: media ?? (isSeen ? 'screen' : null),
    viewport: viewport ?? (isSeen ? PICTURE_VIEWPORT : null),
    javascript: javascript ?? true,
  };
  const isOrdinary =
    browser.waitFor === null && browser.media === null && browser.viewport === null && browser.javascript;
  return isOrdinary ? null : browser;
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

/** Returns the cookies and headers of requests to an address; undefined for none. */
export function credentialsOf({ cookies = [], headers = [] }: RenderOptions): Credentials | undefined {
  if (cookies.length === 0 && headers.length === 0) return undefined;
  const origins = headers.map(({ origin, name, value }) => ({ origin: new URL(origin).origin, name, value }));
  return (url) => {
    const own = origins.filter(({ origin }) => origin === url.origin);
    const sent = Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value]));
    const fitting = cookies.filter((cookie) => isFor(cookie, url));
    if (fitting.length > 0) sent['cookie'] = fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
    return sent;
  };
}

type Cookie = NonNullable<RenderOptions['cookies']>[number];

/** RFC 6265, 5.1.3 and 5.1.4. */
function isFor(
  { domain, path = '/', secure = false }: Cookie,
  { protocol, hostname, pathname }: URL,
): boolean {
  if (secure && protocol !== 'https:') return false;
  const host = domain.toLowerCase();
  const isHost = host.startsWith('.')
    ? hostname === host.slice(1) || hostname.endsWith(host)
    : hostname === host;
  return isHost && (pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
}
