import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PYTHON } from '../host-process.ts';

/** The advice in an error if WebKitGTK is missing. */
export const HOW_TO_INSTALL =
  'apt-get install --no-install-recommends gir1.2-webkit2-4.1 python3-gi libgtk-3-bin fonts-noto-color-emoji';

/** The folder where Debian and Ubuntu install the files of GObject introspection. */
const TYPELIBS = '/usr/lib';

/** Returns whether WebKitGTK and the modules that drive it are installed. */
export function isInstalled(): boolean {
  const hasBindings = existsSync('/usr/lib/python3/dist-packages/gi');
  return existsSync(PYTHON) && existsSync('/usr/bin/broadwayd') && hasBindings && hasTypelib();
}

function hasTypelib(): boolean {
  if (!existsSync(TYPELIBS)) return false;
  return readdirSync(TYPELIBS)
    .filter((name) => name.endsWith('-linux-gnu'))
    .some((name) => existsSync(path.join(TYPELIBS, name, 'girepository-1.0', 'WebKit2-4.1.typelib')));
}
