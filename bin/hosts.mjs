/**
 * What `npm start` does differently on hosts other than Linux on x64. The layer's browser is for x64 alone, so Linux on
 * ARM prints with an installed Chromium, and so does macOS, which also finds the other engines where their packages install
 * them, and says how Homebrew installs those that are missing. JavaScript for Node 20 and later, without packages.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** @type {import('./engines.d.mts').Host} */
export const THIS_HOST = {
  platform: process.platform,
  arch: process.arch,
  home: homedir(),
  exists: existsSync,
};

/** Python of Apple's command line tools, which Homebrew requires. /usr/bin/python3 only offers to install them. */
const PYTHON = '/Library/Developer/CommandLineTools/usr/bin/python3';

/** An application may be installed for all users or for one. */
const application = (place) => [`/Applications/${place}`, `~/Applications/${place}`];

const BROWSER = {
  name: 'Chrome or Chromium',
  places: [
    ...application('Google Chrome.app/Contents/MacOS/Google Chrome'),
    ...application('Chromium.app/Contents/MacOS/Chromium'),
  ],
  macOS: 'brew install --cask google-chrome',
  refuses: 'renderings of html and markdown templates to PDF and to images',
};
const LIBREOFFICE = {
  name: 'LibreOffice',
  places: application('LibreOffice.app/Contents/MacOS/soffice'),
  macOS: 'brew install --cask libreoffice',
  refuses: 'renderings of docx, xlsx, pptx, odt, ods and odp templates to PDF or to another office format',
};
const GHOSTSCRIPT = {
  name: 'Ghostscript',
  // On Apple silicon, on Intel, and with MacPorts.
  places: ['/opt/homebrew/bin/gs', '/usr/local/bin/gs', '/opt/local/bin/gs'],
  macOS: 'brew install ghostscript',
  refuses: 'EPS images, and AI images that are PostScript',
};
const WEBKIT = {
  name: 'WebKitGTK',
  places: [],
  macOS: null,
  refuses: 'renderings with rendering_engine webkit; it is not made for macOS, but the container has it',
};

/** The browser of Debian. Ubuntu has only a snap of it, which cannot run here: there, Chrome's own package is for x64. */
export const LINUX_BROWSER = {
  name: 'Chromium',
  places: ['/usr/bin/chromium'],
  packages: ['chromium'],
  refuses: BROWSER.refuses,
  use: 'start',
};

/** Whether the layer's browser does not run on a host. @param {import('./engines.d.mts').Host} host */
export const needsBrowser = ({ platform, arch }) => platform === 'linux' && arch !== 'x64';

/** @type {readonly import('./engines.d.mts').Engine[]} */
const ENGINES = [BROWSER, LIBREOFFICE, GHOSTSCRIPT, WEBKIT].map((engine) => ({
  ...engine,
  packages: [],
  use: 'start',
}));

/** Returns the first place of an engine where a file exists; undefined if it is not installed. */
export function placeOf({ places }, { home, exists }) {
  return places.map((place) => place.replace(/^~/, home)).find((place) => exists(place));
}

/** @param {import('./engines.d.mts').Host} host */
export function missingOnMac(host) {
  return ENGINES.filter((engine) => placeOf(engine, host) === undefined);
}

/**
 * Returns the variables of the functions for this host: none on Linux on x64. Without a browser, its usual place is
 * named, so that the error of a rendering says what is missing.
 *
 * @param {import('./engines.d.mts').Host} host
 * @returns {Record<string, string>}
 */
export function hostVariables(host = THIS_HOST) {
  if (needsBrowser(host)) return { PLATEN_CHROME: LINUX_BROWSER.places[0] };
  if (host.platform !== 'darwin') return {};
  const places = {
    PLATEN_CHROME: placeOf(BROWSER, host) ?? BROWSER.places[0],
    PLATEN_SOFFICE: placeOf(LIBREOFFICE, host),
    PLATEN_GHOSTSCRIPT: placeOf(GHOSTSCRIPT, host),
    PLATEN_PYTHON: PYTHON,
    // seccomp and Landlock are parts of Linux.
    PLATEN_CONFINEMENT: 'offered',
  };
  return Object.fromEntries(Object.entries(places).filter(([, value]) => value !== undefined));
}

/** What the banner of `npm start` says about this host. @param {import('./engines.d.mts').Host} host */
export function hostNotes(host = THIS_HOST) {
  if (host.platform !== 'darwin') return [];
  const browser = placeOf(BROWSER, host);
  return [
    ...(browser === undefined
      ? []
      : [
          `browser   ${path.basename(browser)}, with the fonts of this Mac: pages may differ from those on Linux`,
        ]),
    'caution   macOS does not confine LibreOffice and Ghostscript: convert only files that you trust',
  ];
}
