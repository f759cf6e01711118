import { BROWSER_LANGUAGE } from './made-up-language.ts';

/** The conditions that the flags depend on. */
export interface FlagChoice {
  singleProcess: boolean;
  profileDir: string;
  /** Maximum megabytes of JavaScript heap for a document. */
  scriptHeap: number;
  /** Whether `/dev/shm` is writable; Lambda has none. */
  sharedMemory: boolean;
}

/**
 * Disabled features: - site isolation (the first two): a document and its frames are in the same trust domain
 * here, tenants are isolated by contexts and processes, and out-of-process frames would escape the interception of
 * their page's requests; - BackForwardCache: it keeps finished documents alive; - RenderDocument: it creates a new
 * frame host for each document of a page without a benefit; - WebRtcHideLocalIpsWithMdns: it announces host names
 * by multicast and bypasses every proxy; - MediaRouter, OptimizationHints, Translate, AutofillServerCommunication,
 * CertificateTransparencyComponentUpdater: services that contact their vendor; - AutoupgradeMixedContent: it asks for
 * images of http addresses over https.
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
  'AutoupgradeMixedContent',
];

/** The command line of Chromium: every flag with its reason, none copied from a default list. */
export function chromeFlags(choice: FlagChoice): string[] {
  return [
    // The executable is Chrome's headless shell; the flag keeps other builds from opening a window.
    '--headless',
    // Commands use two inherited pipes: there is no port to find, and the browser ends with the process that holds
    // the other ends, even if that crashes.
    '--remote-debugging-pipe',
    `--user-data-dir=${choice.profileDir}`,

    // Lambda permits no user namespaces and no setuid helper, so no sandbox can be created inside it. The network
    // rules below, the cleaned environment and the micro-VM restrict what a document can access.
    '--no-sandbox',
    // Every request is intercepted, so a process for the network has no work; its end would fail navigations of all
    // documents. It takes memory, and time for each document.
    '--enable-features=NetworkServiceInProcess2',
    // Saves two processes. Older browsers' zygotes failed in Lambda, which refuses prctl(PR_SET_NO_NEW_PRIVS);
    // this release accepts the refusal (EPERM) with and without a zygote.
    '--no-zygote',
    ...(choice.singleProcess ? ['--single-process'] : []),
    // See DISABLED_FEATURES.
    '--disable-site-isolation-trials',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,

    // Lambda has no GPU; the software GL of the default flags takes eight times the browser's CPU per document.
    '--disable-gpu',
    // No software GPU either: SwiftShader is not in the layer, and the search for it delays the start.
    '--disable-software-rasterizer',
    '--disable-3d-apis',
    // One thread paints the screen, which nobody sees. It has to be painted nevertheless: scripts that wait for a
    // frame (requestAnimationFrame, observers) would wait forever.
    '--num-raster-threads=1',
    // Glyph positions of a PDF must not depend on the pixels of a screen.
    '--font-render-hinting=none',
    '--disable-lcd-text',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    // `navigator.language`, which Chromium makes of the locale otherwise: its `en-US@posix` is no language tag (BCP 47).
    `--accept-lang=${BROWSER_LANGUAGE}`,
    '--mute-audio',
    ...(choice.sharedMemory ? [] : ['--disable-dev-shm-usage']),

    // The first layer of network isolation (I-22): no name resolves, and every connection goes to a missing proxy,
    // including loopback. Requests are intercepted before they get this far.
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    // WebRTC would send UDP and bypass the proxy.
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
    // On macOS, the browser would ask the user for the key of its passwords.
    '--use-mock-keychain',
    // Nothing is loaded over the network, so a cache on disk would be useless.
    '--disk-cache-size=1',

    // A document lives at an https address, so that its context is secure, and may load over http (I-22). Frames do
    // not heed this setting: they are refused, and reported.
    '--blink-settings=allowRunningOfInsecureContent=true',

    // All pages are in the background, and must not be throttled.
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    // The pool has its own deadlines.
    '--disable-hang-monitor',
    '--no-first-run',
    `--js-flags=--max-old-space-size=${choice.scriptHeap}`,
  ];
}
