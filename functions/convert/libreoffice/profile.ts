import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** LibreOffice's colour of the first author, as 0xRRGGBB. */
const FIRST_AUTHOR = 0xc69200;

/** Settings by their path in LibreOffice's registry; `officecfg/registry/schema` in its sources describes them. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>> = {
  // No macros from anywhere and no question about them; nothing outside a document is loaded with it.
  'org.openoffice.Office.Common/Security/Scripting': {
    DisableMacrosExecution: true,
    MacroSecurityLevel: 3,
    BlockUntrustedRefererLinks: true,
  },
  // Never (2): links to files, sections, graphics and DDE.
  'org.openoffice.Office.Writer/Content/Update': { Link: 2, Field: true, Chart: true },
  'org.openoffice.Office.Calc/Content/Update': { Link: 2 },
  // One colour for the tracked changes of all authors: by default it depends on the authors in earlier documents.
  ...Object.fromEntries(
    ['Insert', 'Delete', 'ChangedAttribute'].map((kind) => [
      `org.openoffice.Office.Writer/Revision/TextDisplay/${kind}`,
      { Color: FIRST_AUTHOR },
    ]),
  ),
  // Never (1): values that a program saved stay. Formulas without a value are calculated; for the others see converter.py.
  'org.openoffice.Office.Calc/Formula/Load': { OOXMLRecalcMode: 1, ODFRecalcMode: 1 },
  // A proxy that leads nowhere, in addition to the filter in host.py.
  'org.openoffice.Inet/Settings': {
    ooInetProxyType: 2,
    ooInetHTTPProxyName: '127.0.0.1',
    ooInetHTTPProxyPort: 9,
    ooInetHTTPSProxyName: '127.0.0.1',
    ooInetHTTPSProxyPort: 9,
  },
  'org.openoffice.Office.Common/Misc': {
    FirstRun: false,
    ShowTipOfTheDay: false,
    CrashReport: false,
    CollectUsageInformation: false,
  },
  'org.openoffice.Office.Common/Save/Document': { CreateBackup: false, AutoSave: false },
  'org.openoffice.Office.Recovery/AutoSave': { Enabled: false },
  'org.openoffice.Setup/Office': { ooSetupInstCompleted: true },
};

const XML_TYPES = { string: 'xs:string', number: 'xs:int', boolean: 'xs:boolean' } as const;

/**
 * Writes a profile, the folder of LibreOffice's settings.
 *
 * @param buildId stored in the profile, if known: without it LibreOffice assumes another version, sets the
 * profile up and starts a second time
 */
export async function writeProfile(folder: string, buildId: string | null): Promise<void> {
  const extensions = path.join(folder, 'user', 'extensions');
  await mkdir(extensions, { recursive: true });
  await writeFile(path.join(folder, 'user', 'registrymodifications.xcu'), registry());
  if (buildId !== null) await writeFile(path.join(extensions, 'buildid'), buildId);
}

function registry(): string {
  const items = Object.entries(SETTINGS).flatMap(([place, values]) =>
    Object.entries(values).map(
      ([name, value]) =>
        `<item oor:path="/${place}"><prop oor:name="${name}" oor:op="fuse" oor:type="${XML_TYPES[typeof value as keyof typeof XML_TYPES]}">` +
        `<value>${value}</value></prop></item>`,
    ),
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" ' +
    `xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n${items.join('\n')}\n</oor:items>\n`
  );
}
