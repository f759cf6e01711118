/**
 * Faults that the surroundings of test/support/lambda were made to show, each of which a function could have on Lambda
 * without any other test of this repository failing. `npm run verify -- sandbox-faults` puts them back one at a time.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Fault {
  /** What is wrong. */
  name: string;
  /** Which property of Lambda shows it. */
  shownBy: string;
  /** The file it is put into, what it replaces there (the first place), and with what. */
  file: string;
  before: string;
  after: string;
  /** A folder of this machine that only root may read while the tests run. */
  closed?: string;
  /** File of the tests that must fail, and which of them. */
  test: string;
  only: string;
}

const FUNCTIONS = 'test/lambda/functions.test.ts';
const REFUSAL = 'test/convert/refusal.test.ts';
const RENDER = 'functions/render/handler.ts';
const CHROME = 'packages/print/src/chrome';
const RENDER_SIZE = `    memory: 2048,
    timeoutSeconds: 15 * 60,
    ephemeral: 2048,`;
const CONVERT_SIZE = `    memory: 3008,
    timeoutSeconds: 5 * 60,
    ephemeral: 2048,
    // LibreOffice works on one document at a time.`;

export const FAULTS: readonly Fault[] = [
  {
    name: 'convert’s engines insist on being confined',
    shownBy: 'prctl, seccomp and Landlock are refused',
    file: 'functions/convert/container/Dockerfile',
    before: ' PLATEN_CONFINEMENT=offered',
    after: '',
    test: FUNCTIONS,
    only: 'LibreOffice|WebKit|Ghostscript',
  },
  {
    name: 'Chromium sets up a sandbox of its own',
    shownBy: 'prctl, seccomp and new namespaces are refused',
    file: `${CHROME}/flags.ts`,
    before: "    '--no-sandbox',\n",
    after: '',
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'LibreOffice’s host relies on the kernel to end with its parent',
    shownBy: 'prctl is refused',
    file: 'functions/convert/libreoffice/host.py',
    before: '\nconfine.die_with_input()\n',
    after: '\n',
    test: REFUSAL,
    only: 'end with their parent process',
  },
  {
    name: 'LibreOffice’s host needs the table of sockets',
    shownBy: '/proc/net/unix cannot be read',
    file: 'functions/convert/libreoffice/host.py',
    before: '    except OSError as error:\n        # The sockets',
    after: '    except FileNotFoundError as error:\n        # The sockets',
    test: REFUSAL,
    only: 'table of sockets',
  },
  {
    name: 'LibreOffice writes to the machine’s cache of packages',
    shownBy: 'another user than root',
    file: 'functions/convert/libreoffice/host.py',
    before:
      '            "-env:UNO_SHARED_PACKAGES_CACHE=" + uno.systemPathToFileUrl(folder + "/packages"),\n',
    after: '',
    // As LibreOffice leaves it when root runs it with a umask of 077.
    closed: '/var/spool/libreoffice/uno_packages/cache/uno_packages',
    test: FUNCTIONS,
    only: 'LibreOffice',
  },
  {
    name: 'Chromium wants /dev/shm',
    shownBy: 'no /dev/shm',
    file: `${CHROME}/flags.ts`,
    before: "...(choice.sharedMemory ? [] : ['--disable-dev-shm-usage']),",
    after: '',
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'render writes beside its code',
    shownBy: 'everything is read-only but /tmp',
    file: RENDER,
    before: 'workDir: tmpdir()',
    after: "workDir: '/var/task'",
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'render fills /tmp',
    shownBy: '/tmp and memory of its size',
    file: RENDER,
    before: 'const fetcher =',
    after:
      "(await import('node:fs')).writeFileSync('/tmp/big', Buffer.alloc(1900 * 2 ** 20));\nconst fetcher =",
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'images lacks the layer of native modules',
    shownBy: 'of the disk nothing but code, layers and Lambda’s own',
    file: 'lib/functions.ts',
    before: "    layers: ['fonts', 'native'],",
    after: "    layers: ['fonts'],",
    test: FUNCTIONS,
    only: 'images draws',
  },
  {
    name: 'Chromium takes the machine’s fonts',
    shownBy: 'no fonts but those of the layer',
    file: `${CHROME}/process.ts`,
    before: '        FONTCONFIG_FILE: files.fontConfig,\n',
    after: '',
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'Chromium takes the machine’s libraries',
    shownBy: 'no libraries but Lambda’s own and those of the layer',
    file: `${CHROME}/process.ts`,
    before: '        ...(files.libraries === null ? {} : { LD_LIBRARY_PATH: files.libraries }),\n',
    after: '',
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'render keeps its files at HOME',
    shownBy: 'variables of Lambda only',
    file: RENDER,
    before: 'workDir: tmpdir()',
    after: "workDir: process.env['HOME'] ?? '/root'",
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'render has too little memory',
    shownBy: 'memory of its setting',
    file: 'lib/functions.ts',
    before: RENDER_SIZE,
    after: RENDER_SIZE.replace('2048', '384'),
    test: FUNCTIONS,
    only: 'prints html, in fonts',
  },
  {
    name: 'convert has too little memory',
    shownBy: 'memory of its setting',
    file: 'lib/functions.ts',
    before: CONVERT_SIZE,
    after: CONVERT_SIZE.replace('3008', '192'),
    test: FUNCTIONS,
    only: 'LibreOffice',
  },
  {
    name: 'templates lacks a right to its table',
    shownBy: 'policies of the stacks',
    file: 'lib/functions.ts',
    before: "      templates: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],",
    after: "      templates: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],",
    test: FUNCTIONS,
    only: 'templates keeps',
  },
  {
    name: 'service takes 11 seconds to initialise',
    shownBy: '10 s of initialisation',
    file: 'functions/service/handler.ts',
    before: '\nexport const handler',
    after: '\nawait new Promise((resolve) => setTimeout(resolve, 11_000));\nexport const handler',
    test: FUNCTIONS,
    only: 'authorizer and service',
  },
  {
    name: 'a function that is inactive is not called again',
    shownBy: 'functions from images are inactive at first',
    file: 'functions/shared/hand-over/invoke.ts',
    before: 'if (!isActivating ||',
    after: 'if (isActivating ||',
    test: FUNCTIONS,
    only: 'LibreOffice',
  },
  {
    name: 'Chromium writes core dumps',
    shownBy: 'core dumps are allowed',
    file: `${CHROME}/process.ts`,
    before: 'ulimit -c 0; ',
    after: '',
    test: FUNCTIONS,
    only: 'prints html, in fonts|LibreOffice|core dumps',
  },
  {
    name: 'an environment with a full disk goes on',
    shownBy: 'a /tmp of the function’s size',
    file: 'functions/shared/http/lambda.ts',
    before: '      await endIfDiskIsFull();\n',
    after: '',
    test: FUNCTIONS,
    only: 'full disk',
  },
  {
    name: 'Chromium’s probe is timed by the clock',
    shownBy: 'stopped before its first event',
    file: `${CHROME}/probe.ts`,
    before: 'await withinRunning(timeout, async (signal) => {',
    after:
      'await ((work: (signal: AbortSignal) => Promise<void>) => work(AbortSignal.timeout(timeout)))(async (signal) => {',
    test: 'test/chrome/stopped.test.ts',
    only: 'suspended during its probe',
  },
];

/**
 * Returns the file of a repository with a fault in it.
 *
 * @throws Error when what the fault replaces is not there
 */
export function withFault(root: string, { name, file, before, after }: Fault): string {
  const text = readFileSync(path.join(root, file), 'utf8');
  if (!text.includes(before))
    throw new Error(`"${name}" replaces something that is no longer in ${file}: ${before}`);
  return text.replace(before, () => after);
}
