/** The conditions that the flags depend on. */
export interface FlagChoice {
  singleProcess: boolean;
  profileDir: string;
  /** Megabytes of JavaScript heap a document may use. */
  scriptHeap: number;
  /** Whether `/dev/shm` can be written; Lambda has none. */
  sharedMemory: boolean;
}

/**
 * Features switched off:
 * - site isolation (the two first): a document and its frames are one domain of trust here, tenants are kept apart by
 *   contexts and processes, and out-of-process frames would escape the interception of their page's requests;
 * - BackForwardCache: it keeps finished documents alive;
 * - RenderDocument: it builds a new frame host for each document of a page, for what we do not need;
 * - WebRtcHideLocalIpsWithMdns: it announces host names by multicast, past every proxy;
 * - MediaRouter, OptimizationHints, Translate, AutofillServerCommunication, CertificateTransparencyComponentUpdater:
 *   services that call home.
 */
const DISABLED_FEATURES = [
  'IsolateOrigins',
  'site-per-process',
  'BackForwardCache',
  'RenderDocument',
  'WebRtcHideLocalIpsWithMdns',
  'MediaRouter',
  'OptimizationHints',
  'Translate',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
];

/** The command line of Chromium: every flag with its reason, none taken over from a default list. */
export function chromeFlags(choice: FlagChoice): string[] {
  return [
    // The executable is Chrome's headless shell; the flag keeps other builds from opening a window.
    '--headless',
    // Commands come and go through two inherited pipes: no port to find, and the browser ends with the process that
    // holds the other ends, however that dies.
    '--remote-debugging-pipe',
    `--user-data-dir=${choice.profileDir}`,

    // Lambda allows no user namespaces and no setuid helper, so no sandbox can be set up inside it. What a document
    // can reach is bounded by the network rules below, the scrubbed environment and the micro-VM.
    '--no-sandbox',
    // Two processes less. Older browsers' zygotes ended in Lambda, which refuses prctl(PR_SET_NO_NEW_PRIVS); this one
    // takes the refusal (EPERM) with and without a zygote.
    '--no-zygote',
    ...(choice.singleProcess ? ['--single-process'] : []),
    // See DISABLED_FEATURES.
    '--disable-site-isolation-trials',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,

    // No GPU in Lambda; the software GL of the default flags costs eight times the browser's CPU per document.
    '--disable-gpu',
    // Nor a software one: SwiftShader is not in the layer, and looking for it delays the start.
    '--disable-software-rasterizer',
    '--disable-3d-apis',
    // One thread paints the screen nobody looks at. It has to be painted all the same: scripts that wait for a frame
    // (requestAnimationFrame, observers) would wait for ever.
    '--num-raster-threads=1',
    // Glyph positions of a PDF must not depend on the pixels of a screen.
    '--font-render-hinting=none',
    '--disable-lcd-text',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--mute-audio',
    ...(choice.sharedMemory ? [] : ['--disable-dev-shm-usage']),

    // The network, first layer (I-22): no name resolves, and whatever connects goes to a proxy that is not
    // there, loopback included. Requests are answered by interception before they get this far.
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    // WebRTC would send UDP past the proxy.
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    // Hyperlink auditing, window.open.
    '--no-pings',
    '--block-new-web-contents',
    '--disable-background-networking',
    '--disable-domain-reliability',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--no-service-autorun',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-speech-api',
    '--disable-notifications',
    '--disable-file-system',
    // Nothing comes over the network, so nothing is worth a cache on disk.
    '--disk-cache-size=1',

    // All pages are in the background, and must not be slowed down for it.
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    // The pool has deadlines of its own.
    '--disable-hang-monitor',
    '--no-first-run',
    `--js-flags=--max-old-space-size=${choice.scriptHeap}`,
  ];
}
