import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { PYTHON } from '../host-process.ts';

/** What to say where it is not there. */
export const HOW_TO_INSTALL =
  'apt-get install --no-install-recommends gir1.2-webkit2-4.1 python3-gi libgtk-3-bin fonts-noto-color-emoji';

/** Where Debian and Ubuntu put what GObject introspection reads. */
const TYPELIBS = '/usr/lib';

/** Whether WebKitGTK is installed, with what it takes to drive it. */
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
