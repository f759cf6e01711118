import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installLine, missingEngines } from '../../bin/engines.mjs';
import { hostNotes, hostVariables } from '../../bin/hosts.mjs';
import { ROOT } from '../../bin/service.ts';
import { findInstallation } from '../../functions/convert/libreoffice/installation.ts';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { residentByPs } from '../../packages/core/src/resident-memory.ts';
import { pdfText } from '../convert/support.ts';
import { docx, p } from '../office/build.ts';
import { type ServedService, serveInProcess } from '../support/served.ts';

/**
 * The service with the programs of macOS, on Linux: the files of a Mac are given, and an installed browser and an
 * installed LibreOffice have the folders that they have there.
 */

const CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const OFFICE = '/Users/ada/Applications/LibreOffice.app/Contents/MacOS/soffice';

const mac = (...files: string[]) => ({
  platform: 'darwin',
  arch: 'arm64',
  home: '/Users/ada',
  exists: (file: string) => files.includes(file),
});
const namesMissing = (...files: string[]) => missingEngines('start', mac(...files)).map(({ name }) => name);

describe('a Mac', () => {
  it('without any engine is told what each is for, and how Homebrew installs those that it has', () => {
    const missing = missingEngines('start', mac());
    expect(missing.map(({ name }) => name)).toEqual([
      'Chrome or Chromium',
      'LibreOffice',
      'Ghostscript',
      'WebKitGTK',
    ]);
    expect(missing.map(({ refuses }) => refuses).join('\n')).toMatch(/html[^]*docx[^]*EPS[^]*webkit/);
    expect(installLine(missing)).toBe(
      'brew install --cask google-chrome && brew install --cask libreoffice && brew install ghostscript',
    );
    expect(hostVariables(mac())).toMatchObject({ PLATEN_CHROME: CHROME });
    expect(hostNotes(mac()).join()).not.toContain('browser');
  });

  it('finds engines where their packages install them, for all users and for one', () => {
    expect(namesMissing(CHROME, OFFICE, '/opt/homebrew/bin/gs')).toEqual(['WebKitGTK']);
    expect(namesMissing('/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium')).not.toContain(
      'Chrome or Chromium',
    );
    expect(hostVariables(mac(CHROME, OFFICE, '/usr/local/bin/gs'))).toEqual({
      PLATEN_CHROME: CHROME,
      PLATEN_SOFFICE: OFFICE,
      PLATEN_GHOSTSCRIPT: '/usr/local/bin/gs',
      PLATEN_PYTHON: '/Library/Developer/CommandLineTools/usr/bin/python3',
      PLATEN_CONFINEMENT: 'offered',
    });
    expect(hostNotes(mac(CHROME)).join('\n')).toMatch(/browser +Google Chrome[^]*only files that you trust/);
  });
});

describe('Linux', () => {
  const linux = (arch: string, ...files: string[]) => ({ ...mac(...files), platform: 'linux', arch });

  it('on x64 has no variables of its own', () => {
    expect(hostVariables(linux('x64'))).toEqual({});
    expect(hostNotes(linux('x64'))).toEqual([]);
    expect(missingEngines('start', linux('x64'))).toEqual([]);
  });

  it('on ARM prints with the Chromium of Debian, which apt installs', () => {
    const chromium = '/usr/bin/chromium';
    expect(hostVariables(linux('arm64'))).toEqual({ PLATEN_CHROME: chromium });
    expect(missingEngines('start', linux('arm64', chromium))).toEqual([]);
    const missing = missingEngines('start', linux('arm64'));
    expect(missing.map(({ name }) => name)).toEqual(['Chromium']);
    expect(installLine(missing)).toBe('sudo apt-get install --no-install-recommends chromium');
  });
});

it('ps knows the memory of a process as proc does', () => {
  const { rss } = process.memoryUsage();
  expect(Math.abs(residentByPs(process.pid) / rss - 1)).toBeLessThan(0.2);
  expect(residentByPs(2 ** 22 + 1)).toBe(0);
});

function render(
  { url, token }: ServedService,
  file: string | Uint8Array<ArrayBuffer>,
  name: string,
): Promise<Response> {
  const body = new FormData();
  body.append('file_data', new Blob([file]), name);
  body.append('render_data', '{"name":"Ada"}');
  return fetch(`${url}/v1/render/pdf`, { method: 'POST', headers: { authorization: token }, body });
}

describe('the service', () => {
  let folder: string;
  let applications: { chrome: string; soffice: string };
  let service: ServedService;

  beforeAll(async () => {
    // Builds the layers.
    await ensureAssembly({ root: ROOT });
    folder = await mkdtemp(join(tmpdir(), 'platen-mac-'));
    applications = { chrome: await chromeIn(folder), soffice: await officeIn(folder) };
    service = await serveInProcess([], {
      PLATEN_CHROME: applications.chrome,
      PLATEN_SOFFICE: applications.soffice,
      PLATEN_CONFINEMENT: 'offered',
    });
  });

  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints with the installed browser', async () => {
    const response = await render(service, '<p>Dear {{ name }}</p>', 'a.html');
    expect(response.status).toBe(200);
    expect(pdfText(Buffer.from(await response.arrayBuffer()))).toContain('Dear Ada');
    await expect(rm(join(folder, 'chrome-was-here'))).resolves.toBeUndefined();
  });

  it('converts with the LibreOffice and the Python of the application', async () => {
    const response = await render(service, new Uint8Array(await docx(p('Dear {{ name }}'))), 'a.docx');
    expect(response.status).toBe(200);
    expect(pdfText(Buffer.from(await response.arrayBuffer()))).toContain('Dear Ada');
    await expect(rm(join(folder, 'python-was-here'))).resolves.toBeUndefined();
  });

  it('names the browser that is not installed', async () => {
    const without = await serveInProcess([], { PLATEN_CHROME: CHROME });
    try {
      const response = await render(without, '<p>x</p>', 'a.html');
      expect(response.status).toBe(501);
      expect(await response.json()).toMatchObject({
        code: 'engine_missing',
        detail: expect.stringContaining(`${CHROME} does not exist`),
      });
    } finally {
      await without.stop();
    }
  });
});

it('an application without its Python or its bridge is no installation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-mac-'));
  try {
    const soffice = await officeIn(folder);
    expect(findInstallation(soffice)).toMatchObject({
      executable: soffice,
      python: join(folder, 'LibreOffice.app/Contents/Resources/python'),
      buildId: 'of-the-test',
    });
    await rm(join(folder, 'LibreOffice.app/Contents/Resources/uno.py'));
    expect(findInstallation(soffice)).toBeNull();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function program(file: string, script: string): Promise<string> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

/** An application with the browser of the layer, which needs the libraries of the layer. */
async function chromeIn(folder: string): Promise<string> {
  const roots = ['chromium', 'fonts'].map((name) => resolve(`layers/${name}/dist.local`)).join(':');
  const { executable, libraries } = await unpackChromium(roots, folder);
  const place = join(folder, 'Google Chrome.app/Contents/MacOS');
  await mkdir(place, { recursive: true });
  const script = `: > '${folder}/chrome-was-here'\nLD_LIBRARY_PATH='${libraries}' exec '${executable}' "$@"`;
  return program(join(place, 'Google Chrome'), script);
}

/** An application with the machine's LibreOffice and Python. */
async function officeIn(folder: string): Promise<string> {
  const installed = '/usr/lib/libreoffice/program';
  const contents = join(folder, 'LibreOffice.app/Contents');
  for (const name of ['MacOS', 'Resources']) await mkdir(join(contents, name), { recursive: true });
  await symlink(join(installed, 'soffice.bin'), join(contents, 'MacOS/soffice'));
  await symlink('/usr/lib/python3/dist-packages/uno.py', join(contents, 'Resources/uno.py'));
  await writeFile(join(contents, 'Resources/versionrc'), '[Version]\nbuildid=of-the-test\n');
  await program(
    join(contents, 'Resources/python'),
    `: > '${folder}/python-was-here'\nexec /usr/bin/python3 "$@"`,
  );
  return join(contents, 'MacOS/soffice');
}
