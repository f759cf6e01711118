import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { olderReader } from '../../bin/older-documents.ts';
import type { Confinement } from '../../functions/convert/confinement.ts';
import { fontConfiguration } from '../../functions/convert/fonts.ts';
import { PYTHON } from '../../functions/convert/host-process.ts';
import { filtersFor, filtersOfOlder } from '../../functions/convert/libreoffice/filters.ts';
import { findInstallation } from '../../functions/convert/libreoffice/installation.ts';
import type { OlderFormat } from '../../functions/convert/libreoffice/older.ts';
import { OfficeProcess } from '../../functions/convert/libreoffice/process.ts';
import { CONFINED } from '../support/confined.ts';
import { odfWith, odp, ods, odt } from './documents.ts';
import { pdfText, showsColour, startOffice, zipText } from './support.ts';

/**
 * Documents of Office 97 and rich text (decision 0080). They are read behind one wall, the kernel's, and what they became is
 * printed behind the other: tried here with documents that name files and addresses.
 */

const SECRET = 'TOP-SECRET-OF-ANOTHER';
const MAGENTA = [255, 0, 255] as const;
/** The kernel keeps no file from it. */
const OPEN: Confinement = { ...CONFINED, reads: ['/'] };

interface Older {
  name: string;
  from: OlderFormat;
  document: Buffer;
}

let folder: string;
let place: string;
let connections = 0;
const network = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
/** As programs of the time wrote them. */
let plain: readonly Older[];
let hostile: readonly Older[];
const reader = olderReader({});
const { office: printer, close: closePrinter } = startOffice({ confinement: OPEN });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-older-test-'));
  place = pathToFileURL(folder).href;
  const square = { width: 200, height: 200, channels: 3, background: '#f0f' } as const;
  await sharp({ create: square }).png().toFile(path.join(folder, 'picture.png'));
  writeFileSync(path.join(folder, 'text.txt'), SECRET);
  const secret = `<table:table-cell office:value-type="string"><text:p>${SECRET}</text:p></table:table-cell>`;
  writeFileSync(path.join(folder, 'other.ods'), await ods(secret));
  network.listen(0, '127.0.0.1');
  await once(network, 'listening');
  const office = await startRaw();
  try {
    plain = await saved(office, await plainDocuments());
    hostile = [...richTexts(), ...(await saved(office, await hostileDocuments()))];
  } finally {
    await office.kill();
  }
});
afterAll(async () => {
  await Promise.all([reader.close(), closePrinter()]);
  network.close();
  rmSync(folder, { recursive: true });
});

function startRaw(): Promise<OfficeProcess> {
  const installation = findInstallation();
  if (installation === null) throw new Error('LibreOffice is not installed.');
  const fontConfig = fontConfiguration(folder, true);
  const options = { installation, workDir: tmpdir(), fontConfig, confinement: OPEN, maxFileBytes: 2 ** 28 };
  return OfficeProcess.start(options, AbortSignal.timeout(60_000));
}

type Draft = [name: string, odf: 'odt' | 'ods' | 'odp', from: OlderFormat, document: Buffer];

const CELL =
  '<table:table-cell office:value-type="float" office:value="42"><text:p>42</text:p></table:table-cell>';

async function plainDocuments(): Promise<Draft[]> {
  return [
    ['rich text', 'odt', 'rtf', await odt('A letter of 1997')],
    ['a document of Word', 'odt', 'doc', await odt('A letter of 1997')],
    ['a workbook of Excel', 'ods', 'xls', await ods(CELL)],
    ['a presentation of PowerPoint', 'odp', 'ppt', await odp('First slide', 'Second slide')],
    ['a document with macros', 'odt', 'docm', await odt('A letter of 2007')],
    ['a template of Excel', 'ods', 'xltx', await ods(CELL)],
    ['a show of PowerPoint', 'odp', 'ppsx', await odp('First slide', 'Second slide')],
    ['a flat document', 'odt', 'fodt', await odt('A letter in one file')],
    ['a flat workbook', 'ods', 'fods', await ods(CELL)],
    ['a template of OpenDocument', 'odt', 'ott', await odt('A letter as a template')],
  ];
}

const HERE = '<text:p>still here</text:p>';
const image = (): string =>
  `<draw:image xlink:href="${place}/picture.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/>`;
const frame = (inside: string, more = ''): string =>
  `<draw:frame ${more} svg:x="2cm" svg:y="5cm" svg:width="8cm" svg:height="8cm">${inside}</draw:frame>`;

async function hostileDocuments(): Promise<Draft[]> {
  const picture = `${HERE}<text:p>${frame(image(), 'text:anchor-type="as-char"')}</text:p>`;
  const section =
    `${HERE}<text:section text:name="S"><text:section-source xlink:href="${place}/text.txt" xlink:type="simple"/>` +
    '<text:p>old</text:p></text:section>';
  const slide = `<draw:page draw:name="p">${frame(`<draw:text-box>${HERE}</draw:text-box>`)}${frame(image())}</draw:page>`;
  const formula = (text: string): string =>
    `<table:table-cell table:formula="of:=${text}" office:value-type="string"><text:p>old</text:p></table:table-cell>`;
  const { port } = network.address() as AddressInfo;
  const cells =
    `<table:table-cell office:value-type="string">${HERE}</table:table-cell>` +
    formula(`COM.MICROSOFT.WEBSERVICE(&quot;${place}/text.txt&quot;)`) +
    formula(`COM.MICROSOFT.WEBSERVICE(&quot;http://127.0.0.1:${port}/&quot;)`) +
    formula(`'${place}/other.ods'#$Sheet1.A1`) +
    formula(`DDE(&quot;soffice&quot;;&quot;${folder}/other.ods&quot;;&quot;Sheet1.A1&quot;)`);
  const sheet = `<table:table table:name="S"><table:shapes>${frame(image(), 'table:end-cell-address="S.E20"')}</table:shapes><table:table-row>${cells}</table:table-row></table:table>`;
  const cellsAlone = `<table:table table:name="S"><table:table-row>${cells}</table:table-row></table:table>`;
  return [
    ['a picture in a doc', 'odt', 'doc', await odfWith('odt', picture, '')],
    ['a text in a doc', 'odt', 'doc', await odfWith('odt', section, '')],
    ['a picture in a ppt', 'odp', 'ppt', await odfWith('odp', slide, '')],
    ['a picture, formulas and links in an xls', 'ods', 'xls', await odfWith('ods', sheet, '')],
    ['a picture in a fodt', 'odt', 'fodt', await odfWith('odt', picture, '')],
    ['a text in a fodt', 'odt', 'fodt', await odfWith('odt', section, '')],
    ['a picture, formulas and links in a fods', 'ods', 'fods', await odfWith('ods', sheet, '')],
    ['a picture in a docm', 'odt', 'docm', await odfWith('odt', picture, '')],
    // LibreOffice embeds pictures when it saves OOXML of sheets and slides.
    ['formulas and links in an xlsm', 'ods', 'xlsm', await odfWith('ods', cellsAlone, '')],
  ];
}

/** Rich text by hand: its fields as Word writes them, objects, and a template. */
function richTexts(): Older[] {
  const { port } = network.address() as AddressInfo;
  const field = (code: string): string => `{\\field{\\*\\fldinst ${code}}{\\fldrslt old}}`;
  const text = (name: string, body: string): Older => ({
    name: `${name} in rich text`,
    from: 'rtf',
    document: Buffer.from(`{\\rtf1\\ansi still here\\par ${body}\\par}`),
  });
  const object = `{\\object\\objlink\\objupdate{\\*\\objclass Word.Document.8}{\\*\\objname x}{\\*\\objdata ${Buffer.from(`${folder}/text.txt\0`).toString('hex')}}{\\result old}}`;
  const shape = `{\\shp{\\*\\shpinst\\shpleft0\\shptop900\\shpright3000\\shpbottom3900{\\sp{\\sn shapeType}{\\sv 75}}{\\sp{\\sn pibName}{\\sv ${place}/picture.png}}{\\sp{\\sn pibFlags}{\\sv 10}}}}`;
  return [
    text('a picture', field(`INCLUDEPICTURE "${place}/picture.png" \\\\d`)),
    text('a picture by its path', field(`INCLUDEPICTURE "${folder}/picture.png"`)),
    text('a picture upwards', field(`INCLUDEPICTURE "${'../'.repeat(12)}${folder.slice(1)}/picture.png"`)),
    text('a picture by the network', field(`INCLUDEPICTURE "http://127.0.0.1:${port}/picture.png" \\\\d`)),
    text('a text', field(`INCLUDETEXT "${place}/text.txt"`)),
    text('a text of the machine', field('INCLUDETEXT "file:///etc/hostname"')),
    text('a link of DDE', field(`DDEAUTO soffice "${folder}/other.ods" "Sheet1.A1"`)),
    text('a linked object', object),
    text('a linked shape', shape),
    {
      ...text('a template', ''),
      document: Buffer.from(`{\\rtf1\\ansi{\\*\\template ${folder}/text.txt}still here\\par}`),
    },
  ];
}

async function saved(office: OfficeProcess, drafts: readonly Draft[]): Promise<Older[]> {
  const made: Older[] = [];
  for (const [name, odf, from, document] of drafts) {
    const filters = filtersFor(odf, odf);
    if (filters === null) throw new Error('There is such a conversion.');
    const store = filtersOfOlder(from).load;
    made.push({ name, from, document: await ordered(office, document, odf, from, { ...filters, store }) });
  }
  return made;
}

/** What LibreOffice makes of a document as it is. */
async function ordered(
  office: OfficeProcess,
  document: Buffer,
  from: string,
  to: string,
  filters: NonNullable<ReturnType<typeof filtersFor>>,
): Promise<Buffer> {
  const work = mkdtempSync(path.join(office.folder, 'document-'));
  const [input, output] = [path.join(work, `document.${from}`), path.join(work, `result.${to}`)];
  writeFileSync(input, document);
  expect(await office.convert({ input, output, title: null, ...filters })).toMatchObject({ ok: true });
  return readFileSync(output);
}

async function print({ document, from }: Older): Promise<{ pdf: Buffer; read: Buffer }> {
  const { bytes, as } = await reader.read(document, from);
  const read = Buffer.from(bytes);
  return {
    read,
    pdf: await printer.convert({ document: read, from: as, to: 'pdf', title: null, timeout: 60_000 }),
  };
}

describe('A document of an older format', () => {
  test.each([
    ['rtf', /A letter of 1997/],
    ['doc', /A letter of 1997/],
    ['xls', /42/],
    ['ppt', /First slide[^]*Second slide/],
    ['docm', /A letter of 2007/],
    ['xltx', /42/],
    ['ppsx', /First slide[^]*Second slide/],
    ['fodt', /A letter in one file/],
    ['fods', /42/],
    ['ott', /A letter as a template/],
  ] as const)('becomes a PDF of its text: %s', async (format, expected) => {
    const found = plain.find(({ from }) => from === format);
    if (found === undefined) throw new Error('There is one of each.');
    expect(pdfText((await print(found)).pdf)).toMatch(expected);
  });

  test('is refused when it is of another format', async () => {
    const [text] = plain;
    if (text === undefined) throw new Error('There is one.');
    const refused = { code: 'template_file_invalid' };
    await expect(reader.read(text.document, 'doc')).rejects.toMatchObject(refused);
    await expect(reader.read(Buffer.from('PK\u0003\u0004'), 'rtf')).rejects.toMatchObject(refused);
    const ole = plain.find(({ from }) => from === 'xls')?.document ?? Buffer.alloc(0);
    await expect(reader.read(ole, 'ppt')).rejects.toMatchObject(refused);
  });

  test('is opened by its password alone, also if it is a format of the interface', async () => {
    const office = await startRaw();
    try {
      const store = { FilterName: 'writer8', Password: 'open' };
      const filters = { load: { FilterName: 'writer8' }, store };
      const document = await ordered(office, await odt('A locked letter'), 'odt', 'odt', filters);
      const { bytes, as } = await reader.read(document, 'odt', 'open');
      const options = { document: Buffer.from(bytes), from: as, to: 'pdf', title: null } as const;
      expect(pdfText(await printer.convert({ ...options, timeout: 60_000 }))).toContain('A locked letter');
      const refused = { code: 'office_file_encrypted' };
      await expect(reader.read(document, 'odt', 'wrong')).rejects.toMatchObject(refused);
    } finally {
      await office.kill();
    }
  });

  test('is read nowhere where the kernel refuses to confine LibreOffice, as on Lambda', () => {
    const file = path.join(folder, 'plain.rtf');
    writeFileSync(file, '{\\rtf1 x}');
    const here = fileURLToPath(new URL('.', import.meta.url));
    const program = [process.execPath, path.join(here, 'read-older.ts'), file];
    const read = (command: string, args: readonly string[]) =>
      execFileSync(command, args, { encoding: 'utf8' }).trim().split('\n').at(-1);
    expect(read(PYTHON, [path.join(here, 'refuse.py'), ...program])).toBe('engine_unavailable');
    const [node = '', ...rest] = program;
    expect(read(node, rest)).toBe('odt');
  });
});

describe('a document of an older format that refers to external files', () => {
  test('without confinement or cleaning, LibreOffice shows a picture that rich text names', async () => {
    const office = await startRaw();
    try {
      const [attack] = hostile;
      if (attack === undefined) throw new Error('There is one.');
      const filters = filtersFor('odt', 'pdf');
      if (filters === null) throw new Error('There is such a conversion.');
      const { load } = filtersOfOlder(attack.from);
      const pdf = await ordered(office, attack.document, attack.from, 'pdf', { ...filters, load });
      expect(showsColour(pdf, MAGENTA)).toBe(true);
    } finally {
      await office.kill();
    }
  });

  test('nothing of it is in the read document or on the pages', async () => {
    expect(hostile.length).toBe(19);
    for (const attack of hostile) {
      const { read, pdf } = await print(attack);
      expect(pdfText(pdf), attack.name).toContain('still here');
      expect(pdfText(pdf), attack.name).not.toContain(SECRET);
      expect(showsColour(pdf, MAGENTA), attack.name).toBe(false);
      expect(zipText(read), attack.name).not.toContain(SECRET);
    }
    expect(connections).toBe(0);
  }, 120_000);
});
