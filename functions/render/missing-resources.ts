import type { Missing } from '@platen/print';
import { listed } from '@platen/core/listed';

/** The warnings for resources of documents that cannot be loaded: those come first whose loss changes most of the document. */

/** Most addresses that the answer names. */
const NAMED = 10;
/** Most addresses that are remembered. */
const KNOWN = 1_000;

/** Hosts that count visitors, which nobody misses on paper. */
const COUNTS_VISITORS =
  /(?:^|\.)(?:google-analytics|googletagmanager|googlesyndication|googleadservices|doubleclick|connect\.facebook|segment|hotjar|matomo|plausible|mixpanel|amplitude|clarity|nr-data|newrelic|hs-scripts|hs-analytics|cloudflareinsights|fullstory|heapanalytics|bat\.bing|mc\.yandex|quantserve|scorecardresearch|adobedtm|omtrdc|criteo|taboola|outbrain|analytics\.tiktok|optimizely|chartbeat|statcounter)\.(?:com|net|io|ms|cloud|ru)$/i;

/** By weight: styles, pictures, fonts. */
const KINDS = [
  /\.css(?:$|[?#])/i,
  /\.(?:svg|png|jpe?g|gif|webp|avif|bmp|ico)(?:$|[?#])/i,
  /\.(?:woff2?|ttf|otf)(?:$|[?#])/i,
];

/** Returns a callback that warns of addresses that cannot be loaded, up to a maximum; all that count visitors in one line. */
export function warnOfMissing(warnings: string[]): Missing {
  const known = new Set<string>();
  const counting = new Set<string>();
  const found: { weight: number; text: string }[] = [];
  let told: string[] = [];
  return (address, why) => {
    if (known.has(address) || known.size >= KNOWN) return;
    known.add(address);
    const host = URL.canParse(address) ? new URL(address).hostname : '';
    if (COUNTS_VISITORS.test(host)) counting.add(host);
    else {
      const kind = KINDS.findIndex((pattern) => pattern.test(address));
      const what = why === 'missing' ? 'Not loaded' : 'No image that can be shown';
      found.push({ weight: kind === -1 ? KINDS.length : kind, text: `${what}: ${address.slice(0, 200)}` });
    }
    const texts = found.toSorted((one, other) => one.weight - other.weight).map(({ text }) => text);
    const visitors =
      counting.size === 0 ? [] : [`Not loaded, of hosts that count visitors: ${listed(counting, NAMED)}`];
    for (const text of told) warnings.splice(warnings.indexOf(text), 1);
    told = [...texts.slice(0, NAMED), ...visitors];
    warnings.push(...told);
  };
}
