/**
 * The programs besides Node that a complete service and the tests use: how to detect each, and how to install it.
 * JavaScript for Node 20 and later, without packages.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { LINUX_BROWSER, missingOnMac, needsBrowser, placeOf, THIS_HOST } from './hosts.mjs';

/** Languages with hyphenation patterns for LibreOffice in Debian 12 and 13 and in Ubuntu 24.04. */
const HYPHENATED =
  'af as be bg bn ca cs da de el en-gb en-us es fr gl gu hi hr hu id is it kn lt lv ml mn mr nl no or pa pl pt-br pt-pt ro ru sk sl sr ' +
  'sv ta te th uk zu';

/** @type {import('./engines.d.mts').Engine[]} */
export const ENGINES = [
  {
    name: 'LibreOffice',
    commands: ['soffice', 'fc-list'],
    files: ['python3/dist-packages/uno.py', 'libreoffice/program/libsmlo.so'],
    packages: [
      'libreoffice-writer-nogui',
      'libreoffice-calc-nogui',
      'libreoffice-impress-nogui',
      'libreoffice-math-nogui',
      'python3-uno',
      'fontconfig',
      'fonts-liberation',
      'fonts-crosextra-carlito',
      'fonts-crosextra-caladea',
    ],
    refuses: 'renderings of docx, xlsx, pptx, odt, ods and odp templates to PDF or to another office format',
    use: 'start',
  },
  {
    name: 'hyphenation of office documents',
    // The first and the last package.
    files: ['hyphen/hyph_af_ZA.dic', 'hyphen/hyph_zu_ZA.dic'],
    packages: HYPHENATED.split(' ').map((language) => `hyphen-${language}`),
    refuses:
      'nothing, but divides words of office documents with automatic hyphenation nowhere, or without a hyphen',
    use: 'start',
  },
  {
    name: 'WebKitGTK',
    commands: ['broadwayd'],
    files: ['girepository-1.0/WebKit2-4.1.typelib', 'python3/dist-packages/gi'],
    packages: ['gir1.2-webkit2-4.1', 'python3-gi', 'libgtk-3-bin', 'fonts-noto-color-emoji'],
    refuses: 'renderings with rendering_engine webkit',
    use: 'start',
  },
  {
    name: 'Ghostscript',
    commands: ['gs'],
    packages: ['ghostscript'],
    refuses: 'EPS images, and AI images that are PostScript',
    use: 'start',
  },
  {
    name: 'fonts of all scripts',
    files: ['fonts/truetype/noto/NotoSansBengali-Regular.ttf'],
    packages: ['fonts-noto-core'],
    refuses: 'nothing, but prints boxes for scripts such as Bengali, Tamil, Georgian, Armenian and Khmer',
    use: 'start',
  },
  {
    name: 'fonts',
    // The first file of each package. An engine that was installed before Platen may lack some of the packages.
    files: [
      'fonts/truetype/liberation/LiberationSans-Regular.ttf',
      'fonts/truetype/crosextra/Carlito-Regular.ttf',
      'fonts/truetype/crosextra/Caladea-Regular.ttf',
      'fonts/truetype/noto/NotoColorEmoji.ttf',
    ],
    packages: [
      'fonts-liberation',
      'fonts-crosextra-carlito',
      'fonts-crosextra-caladea',
      'fonts-noto-color-emoji',
    ],
    refuses: 'tests',
    use: 'test',
  },
  {
    name: 'poppler',
    commands: [
      'pdftohtml',
      'pdftotext',
      'pdfinfo',
      'pdftoppm',
      'pdftocairo',
      'pdfimages',
      'pdffonts',
      'pdfdetach',
      'pdfsig',
      'pdfunite',
    ],
    packages: ['poppler-utils'],
    refuses: 'tests',
    use: 'test',
  },
  { name: 'qpdf', commands: ['qpdf'], packages: ['qpdf'], refuses: 'tests', use: 'test' },
  { name: 'OpenSSL', commands: ['openssl'], packages: ['openssl'], refuses: 'tests', use: 'test' },
  { name: 'MuPDF', commands: ['mutool'], packages: ['mupdf-tools'], refuses: 'tests', use: 'test' },
  { name: 'img2pdf', commands: ['img2pdf'], packages: ['img2pdf'], refuses: 'tests', use: 'test' },
  {
    name: 'ImageMagick',
    commands: ['identify', 'convert'],
    packages: ['imagemagick'],
    refuses: 'tests',
    use: 'test',
  },
  { name: 'ZBar', commands: ['zbarimg'], packages: ['zbar-tools'], refuses: 'tests', use: 'test' },
  { name: 'zip', commands: ['zip', 'unzip'], packages: ['zip', 'unzip'], refuses: 'tests', use: 'test' },
  { name: 'curl', commands: ['curl'], packages: ['curl'], refuses: 'tests', use: 'test' },
  {
    name: 'bubblewrap',
    commands: ['bwrap', 'setpriv', 'prlimit'],
    packages: ['bubblewrap', 'util-linux'],
    refuses: 'tests',
    use: 'test',
  },
  { name: 'jq', commands: ['jq'], packages: ['jq'], refuses: 'tests', use: 'test' },
  { name: 'ps', commands: ['ps'], packages: ['procps'], refuses: 'tests', use: 'test' },
  {
    name: 'Python',
    // The distribution's own Python, for which these packages are built.
    commands: ['/usr/bin/python3'],
    files: ['python3/dist-packages/requests', 'python3/dist-packages/docxtpl', 'python3/dist-packages/pip'],
    packages: ['python3', 'python3-requests', 'python3-docxtpl', 'python3-pip'],
    refuses: 'tests',
    use: 'test',
  },
  {
    name: 'Firefox',
    commands: ['firefox-esr'],
    packages: ['firefox-esr'],
    refuses: 'tests of the Studio',
    use: 'studio',
  },
];

/** The additional programs that each use needs. */
const USES = { start: ['start'], test: ['start', 'test'], studio: ['start', 'test', 'studio'] };

/** The folders in which Debian and Ubuntu install libraries and data. */
const LIBRARIES = '/usr/lib';
const DATA = '/usr/share';

/**
 * Returns the engines that are missing or incomplete.
 *
 * @param {'start' | 'test' | 'studio'} use The purpose: the service needs its engines, the tests also their
 * own, and the tests of the Studio another browser.
 * @param {import('./engines.d.mts').Host} host
 */
export function missingEngines(use, host = THIS_HOST) {
  if (host.platform === 'darwin' && use === 'start') return missingOnMac(host);
  const missing = ENGINES.filter((engine) => USES[use].includes(engine.use)).filter(
    ({ commands = [], files = [] }) => !commands.every(hasCommand) || !files.every(hasFile),
  );
  return needsBrowser(host) && placeOf(LINUX_BROWSER, host) === undefined
    ? [LINUX_BROWSER, ...missing]
    : missing;
}

/** Returns the command that installs engines manually. */
export function installLine(engines) {
  const casks = engines.flatMap(({ macOS }) => macOS ?? []);
  if (casks.length > 0) return casks.join(' && ');
  const packages = new Set(engines.flatMap((engine) => engine.packages));
  return `sudo apt-get install --no-install-recommends ${[...packages].join(' ')}`;
}

/** @param {string} command a name or a path */
export function hasCommand(command) {
  if (path.isAbsolute(command)) return existsSync(command);
  // The search path of an execution environment, with the folders that distributions add for root.
  const folders = ['/usr/local/bin', '/usr/bin', '/bin', ...(process.env.PATH ?? '').split(':')];
  return folders.some((folder) => folder !== '' && existsSync(path.join(folder, command)));
}

/** @param {string} file */
function hasFile(file) {
  const folders = [LIBRARIES, DATA];
  for (const entry of existsSync(LIBRARIES) ? readdirSync(LIBRARIES, { withFileTypes: true }) : []) {
    if (entry.isDirectory() && entry.name.endsWith('-linux-gnu'))
      folders.push(path.join(LIBRARIES, entry.name));
  }
  return folders.some((folder) => existsSync(path.join(folder, file)));
}
