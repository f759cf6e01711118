import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { PYTHON } from '../host-process.ts';

/** LibreOffice as it is installed on a machine. */
export interface Installation {
  /** `soffice.bin` itself: the scripts before it would stand between us and its process. */
  executable: string;
  /** As LibreOffice notes it in a profile; null where it cannot be told. */
  buildId: string | null;
  /** Whether emoji in colour come out in a PDF. */
  printsColourFonts: boolean;
}

/** Where distributions, and LibreOffice's own packages, put it. */
const PLACES = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/usr/lib/libreoffice/program/soffice'];

/** Where Debian and Ubuntu put the `uno` module, then others. */
const UNO_MODULES = ['/usr/lib/python3/dist-packages/uno.py', '/usr/lib/libreoffice/program/uno.py'];

/** What to say where it is not there. */
export const HOW_TO_INSTALL =
  'apt-get install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui ' +
  'libreoffice-impress-nogui python3-uno fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea';

/**
 * Finds LibreOffice.
 *
 * @param place path of `soffice`, where it is not in one of the usual places
 * @returns null where it, or what it takes to talk to it, is not there
 */
export function findInstallation(place: string | null = null): Installation | null {
  const script = (place === null ? PLACES : [place]).find((candidate) => existsSync(candidate));
  if (script === undefined || !existsSync(PYTHON)) return null;
  const program = path.dirname(realpathSync(script));
  const executable = path.join(program, 'soffice.bin');
  const hasUno = [...UNO_MODULES, path.join(program, 'uno.py')].some((file) => existsSync(file));
  if (!existsSync(executable) || !hasUno) return null;
  const versions = path.join(program, 'versionrc');
  const known = existsSync(versions) ? readFileSync(versions, 'utf8') : '';
  return {
    executable,
    buildId: /^buildid=(.+)/m.exec(known)?.[1]?.trim() ?? null,
    // Version 7 leaves gaps; from 24.2 on, versions are called by their year.
    printsColourFonts: !/^UpdateID=LibreOffice_[1-7]_/m.test(known),
  };
}
