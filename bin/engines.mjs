/**
 * The programs beside Node that a full service uses, and the tests: how to see whether one is there, and where to get
 * it. JavaScript that any Node from 20 on runs with nothing installed.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** @type {import('./engines.d.mts').Engine[]} */
export const ENGINES = [
  {
    name: 'LibreOffice',
    command: 'soffice',
    packages: [
      'libreoffice-writer-nogui',
      'libreoffice-calc-nogui',
      'libreoffice-impress-nogui',
      'python3-uno',
      'fonts-liberation',
      'fonts-crosextra-carlito',
      'fonts-crosextra-caladea',
    ],
    refuses: 'renderings of docx, xlsx, pptx, odt, ods and odp templates to PDF or to another office format',
    use: 'start',
  },
  {
    name: 'WebKitGTK',
    command: 'broadwayd',
    files: ['girepository-1.0/WebKit2-4.1.typelib', 'python3/dist-packages/gi'],
    packages: ['gir1.2-webkit2-4.1', 'python3-gi', 'libgtk-3-bin', 'fonts-noto-color-emoji'],
    refuses: 'renderings with rendering_engine webkit',
    use: 'start',
  },
  {
    name: 'Ghostscript',
    command: 'gs',
    packages: ['ghostscript'],
    refuses: 'EPS images, and AI images that are PostScript',
    use: 'start',
  },
  { name: 'poppler', command: 'pdftotext', packages: ['poppler-utils'], refuses: 'tests', use: 'test' },
  { name: 'qpdf', command: 'qpdf', packages: ['qpdf'], refuses: 'tests', use: 'test' },
  { name: 'curl', command: 'curl', packages: ['curl'], refuses: 'tests', use: 'test' },
  { name: 'jq', command: 'jq', packages: ['jq'], refuses: 'tests', use: 'test' },
  { name: 'unzip', command: 'unzip', packages: ['unzip'], refuses: 'tests', use: 'test' },
  { name: 'Python', command: 'python3', packages: ['python3'], refuses: 'tests', use: 'test' },
];

/** Where Debian and Ubuntu put libraries. */
const LIBRARIES = '/usr/lib';

/**
 * Those that are not there.
 *
 * @param {'start' | 'test'} use What is to be done: the service needs its engines, the tests those and their own.
 */
export function missingEngines(use) {
  return ENGINES.filter((engine) => use === 'test' || engine.use === 'start').filter(
    ({ command, files = [] }) =>
      (command !== undefined && !hasCommand(command)) || !files.every((file) => hasLibrary(file)),
  );
}

/** The line that installs engines by hand. */
export function installLine(engines) {
  return `sudo apt-get install --no-install-recommends ${engines.flatMap(({ packages }) => packages).join(' ')}`;
}

/** @param {string} command */
export function hasCommand(command) {
  // As in an execution environment, and what distributions add for root.
  const folders = ['/usr/local/bin', '/usr/bin', '/bin', ...(process.env.PATH ?? '').split(':')];
  return folders.some((folder) => folder !== '' && existsSync(path.join(folder, command)));
}

/** @param {string} file */
function hasLibrary(file) {
  const folders = [LIBRARIES];
  for (const entry of existsSync(LIBRARIES) ? readdirSync(LIBRARIES, { withFileTypes: true }) : []) {
    if (entry.isDirectory() && entry.name.endsWith('-linux-gnu'))
      folders.push(path.join(LIBRARIES, entry.name));
  }
  return folders.some((folder) => existsSync(path.join(folder, file)));
}
