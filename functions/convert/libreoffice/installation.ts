import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { PYTHON } from '../host-process.ts';

/** An installation of LibreOffice on the machine. */
export interface Installation {
  /** `soffice.bin` itself, without the start scripts, so that it is a direct child process. */
  executable: string;
  /** Path of a Python that can drive it. */
  python: string;
  /** The build id that LibreOffice stores in a profile; null if unknown. */
  buildId: string | null;
  /** Whether colour emoji appear in a PDF. */
  printsColourFonts: boolean;
}

/** The places where distributions and LibreOffice's own packages install it. */
const PLACES = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/usr/lib/libreoffice/program/soffice'];

/** The places of the `uno` module: first those of Debian and Ubuntu, then others. */
const UNO_MODULES = ['/usr/lib/python3/dist-packages/uno.py', '/usr/lib/libreoffice/program/uno.py'];

/** The advice in an error if LibreOffice is missing. */
export const HOW_TO_INSTALL =
  'apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui ' +
  'libreoffice-impress-nogui libreoffice-math-nogui python3-uno fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea';

/**
 * Finds LibreOffice.
 *
 * @param place path of `soffice`, if it is not in one of the usual places
 * @returns null if LibreOffice or its Python bridge is missing
 */
export function findInstallation(place: string | null = null): Installation | null {
  const script = (place === null ? PLACES : [place]).find((candidate) => existsSync(candidate));
  if (script === undefined) return null;
  const { executable, python, uno, versions } = partsOf(script);
  if (![executable, python].every((file) => existsSync(file)) || !uno.some((file) => existsSync(file)))
    return null;
  const known = existsSync(versions) ? readFileSync(versions, 'utf8') : '';
  return {
    executable,
    python,
    buildId: /^buildid=(.+)/m.exec(known)?.[1]?.trim() ?? null,
    // Version 7 leaves gaps; from 24.2 on, versions are numbered by year.
    printsColourFonts: !/^UpdateID=LibreOffice_[1-7]_/m.test(known),
  };
}

/** Returns where the parts of an installation are, by the path of its `soffice`. */
function partsOf(script: string): { executable: string; python: string; uno: string[]; versions: string } {
  const folder = path.dirname(script);
  if (path.basename(folder) === 'MacOS') {
    // The application for macOS contains Python with the bridge.
    const resources = path.join(folder, '../Resources');
    return {
      executable: script,
      python: path.join(resources, 'python'),
      uno: [path.join(resources, 'uno.py')],
      versions: path.join(resources, 'versionrc'),
    };
  }
  const program = path.dirname(realpathSync(script));
  return {
    executable: path.join(program, 'soffice.bin'),
    python: PYTHON,
    uno: [...UNO_MODULES, path.join(program, 'uno.py')],
    versions: path.join(program, 'versionrc'),
  };
}
