/**
 * Makes documents that claim PDF/A and PDF/UA, carry an invoice and are signed, all in one file, over HTTP, with an
 * authority, a timestamp server and an OCSP responder of their own. veraPDF judges what they claim, Mustang the
 * invoice, pyHanko the signature, and what is seen of a signature must be where it was asked for. Needs Java, Maven
 * for the first time, and pyHanko.
 *
 *   npm run verify -- signed [part of a name]…
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { PROFILES } from '../../packages/factur-x/src/index.ts';
import { documented } from '../../packages/factur-x/test/invoices.ts';
import { docx } from '../convert/documents.ts';
import { judgeInvoices } from '../factur-x/mustang.ts';
import { sample } from '../formats/build.ts';
import { change, makeForm } from '../pdf/form-material.ts';
import { openAuthority } from '../signatures/support.ts';
import { documentOf, type Fields, type Reply, startClient } from './client.ts';
import { framed } from './corpus.ts';
import { judge } from './verapdf.ts';

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'platen-signed-'));
const authority = await openAuthority();
const client = await startClient(join(folder, 'data'), {
  PLATEN_TSA_URL: `${authority.server.url}/tsa`,
  PLATEN_REVOCATION_ADDRESSES: 'any',
});
const BOTH = ['pdf/a-3a', 'pdf/ua-1'];
const seal = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer();
/** Where signatures are seen, cm; of the image the middle is looked at. */
const PLACE = { x: 2, y: 3, w: 6, h: 2 };
const appearance = { ...PLACE, image: 'step_seal', text: 'Geprüft von\n東京' };
const sign = { key: 'seal', level: 'b-lt', appearance };
const SEAL: Fields = { step_seal: [seal, 'seal.png'] };

interface Case {
  name: string;
  /** As veraPDF names levels. */
  levels: readonly string[];
  hasInvoice: boolean;
  /** Points of its unit; poppler takes every unit for one. Default 1. */
  unit?: number;
  make: () => Promise<Reply>;
}

const toSign = (pdf: Buffer): Promise<Reply> =>
  client.send('POST', '/v1/pdf/sign', {
    file: [pdf, 'a.pdf'],
    key: 'seal',
    level: 'b-lt',
    appearance: JSON.stringify(appearance),
    ...SEAL,
  });

function rendered(
  file: string | Buffer,
  format: string,
  options: object,
  data: unknown = {},
): Promise<Reply> {
  return client.send('POST', '/v1/render/pdf', {
    file_data: [file, `template.${format}`],
    template_data: JSON.stringify({ name: 'A document', format }),
    render_data: JSON.stringify(data),
    render_options: JSON.stringify({ language: 'en', sign, ...options }),
    ...SEAL,
  });
}

const PAGE = framed('<p>{{ number }}</p><table><tr><th>a<th>b<tr><td>1<td>2</table>', 'h1{margin-top:5cm}');

function invoices(): Case[] {
  return PROFILES.flatMap((profile): Case[] => {
    const factur_x = { profile, data: '.' };
    const html = { name: `html-${profile}`, levels: ['3a', 'ua1'], hasInvoice: true };
    const office = { name: `docx-${profile}`, levels: ['3a', 'ua1'], hasInvoice: true };
    const options = { conformance: BOTH, factur_x };
    return [
      { ...html, make: async () => await rendered(PAGE, 'html', options, documented()) },
      {
        ...office,
        make: async () => await rendered(await docx('{{ number }}'), 'docx', options, documented()),
      },
    ];
  });
}

/** Images of each kind: conformed where they are made, and signed. */
function images(): Case[] {
  const names = ['rgb.jpg', 'rgba.png', 'simple.svg', 'g4.tiff'];
  return names.map((name) => ({
    name: `image-${name.replace('.', '-')}`,
    levels: ['3u'],
    hasInvoice: false,
    make: async () => {
      const pdf = await client.send('POST', '/v1/render/img', {
        image: [sample(name), name],
        render_options: JSON.stringify({
          conformance: ['pdf/a-3u'],
          title: 'An image',
          paper_format: 'A4',
          y: 10,
        }),
      });
      return await toSign(documentOf(pdf));
    },
  }));
}

/** Documents of the other office formats. */
function office(): Case[] {
  return ['letter.odt', 'letter.docx'].map((name) => ({
    name: `office-${name.replace('.', '-')}`,
    levels: ['3a', 'ua1'],
    hasInvoice: false,
    make: async () => await rendered(sample(name), name.slice(-4).replace('.', ''), { conformance: BOTH }),
  }));
}

/** A form that is filled, and claims what a file without tags can. */
function forms(): Case[] {
  const path = makeForm(join(folder, 'form.pdf'));
  // Fields of which nothing says how they look have to go, or to be filled.
  const gone = "['sig', 'bare', 'photo']";
  change(
    path,
    `pdf.pages[0].Annots = Array([w for w in pdf.pages[0].Annots if str(w.get('/T', '')) not in ${gone}])\n` +
      `pdf.Root.AcroForm.Fields = Array([f for f in pdf.Root.AcroForm.Fields if str(f.T) not in ${gone}])`,
  );
  const record = {
    ...{
      name: 'Zoë Müller',
      auto: 'a',
      notes: 'Two\nlines',
      iban: 'DE12',
      secret: 's',
      agree: true,
      colour: 'green',
    },
    ...{
      country: 'Germany',
      town: 'Ulm',
      tags: ['b'],
      turned: 't',
      address: { street: 'Main 1', city: '東京' },
    },
  };
  return ['2b', '3u'].map((level) => ({
    name: `form-${level}`,
    levels: [level],
    hasInvoice: false,
    make: async () =>
      await rendered(readFileSync(path), 'pdf', { conformance: [`pdf/a-${level}`], title: 'A form' }, record),
  }));
}

/** Pages that are turned, cropped, and in a unit of their own. */
function turned(): Case[] {
  const crops = {
    whole: '',
    cropped: 'pdf.pages[0].CropBox = [50, 60, 500, 700]',
    moved: 'pdf.pages[0].MediaBox = [-100, -50, 495, 792]; pdf.pages[0].CropBox = [-60, -20, 400, 700]',
    unit: 'pdf.pages[0].UserUnit = 2',
  };
  return Object.entries(crops).flatMap(([crop, lines]) =>
    [0, 90, 180, 270].map((angle) => ({
      name: `${crop}-${angle}`,
      levels: ['3a', 'ua1'],
      hasInvoice: false,
      unit: crop === 'unit' ? 2 : 1,
      make: async () => {
        const path = join(folder, `${crop}-${angle}.pdf`);
        const printed = await client.send('POST', '/v1/render/pdf', {
          file_data: [framed('', ''), 'template.html'],
          render_data: '{}',
        });
        writeFileSync(path, documentOf(printed));
        change(path, `${lines}\npdf.pages[0].Rotate = ${angle}`);
        const conformed = await client.send('POST', '/v1/pdf/conform', {
          file: [readFileSync(path), 'a.pdf'],
          conformance: JSON.stringify(BOTH),
        });
        return await toSign(documentOf(conformed));
      },
    })),
  );
}

/** Whether the image of the signature is where it belongs, and nowhere beside. */
async function isSeen(path: string, unit: number): Promise<boolean> {
  const picture = execFileSync(
    'pdftoppm',
    ['-r', String(50.8 * unit), '-cropbox', '-png', '-singlefile', '-l', '1', path],
    {
      maxBuffer: 1 << 28,
    },
  );
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const isRed = (x: number, y: number): boolean => {
    const at = (Math.round(y * 20) * info.width + Math.round(x * 20)) * info.channels;
    return (data[at] ?? 0) > 230 && (data[at + 1] ?? 255) < 40 && (data[at + 2] ?? 255) < 40;
  };
  const { x, y, w, h } = PLACE;
  const middle = [x + w / 4, y + h / 2] as const;
  return (
    isRed(...middle) && isRed(middle[0], y + 0.2) && isRed(middle[0], y + h - 0.2) &&
    !isRed(middle[0], y - 0.2) && !isRed(middle[0], y + h + 0.2) && !isRed(x + w * 0.75, middle[1])
  ); // prettier-ignore
}

let failed = 0;
function fail(name: string, why: string): void {
  failed++;
  console.log(`FAIL ${name}: ${why}`);
}

try {
  const pkcs12 = authority.pki.issue('Signer').pkcs12('pw');
  await client.send('PUT', '/v1/keys/seal', { pkcs12: [pkcs12, 'x.p12'], password: 'pw' }).then(documentOf);
  const all = [...invoices(), ...images(), ...office(), ...forms(), ...turned()];
  const cases = all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  const files = new Map<string, Case>();
  mkdirSync(join(folder, 'files'));
  for (const one of cases) {
    try {
      const path = join(folder, 'files', `${one.name}.pdf`);
      writeFileSync(path, documentOf(await one.make()));
      files.set(path, one);
      if (!(await isSeen(path, one.unit ?? 1))) fail(one.name, 'the signature is not seen where it belongs');
    } catch (error) {
      fail(one.name, error instanceof Error ? error.message : String(error));
    }
  }
  const paths = Array.from(files.keys());
  for (const level of new Set(cases.flatMap(({ levels }) => levels))) {
    const claiming = paths.filter((path) => files.get(path)?.levels.includes(level));
    for (const [name, rules] of await judge(level, claiming))
      fail(name, `veraPDF, ${level}: ${rules.join('; ')}`);
  }
  const judged = authority.judge(paths.map((path) => readFileSync(path)));
  for (const [index, path] of paths.entries()) {
    const signatures = judged[index] ?? [];
    const right = signatures.length === 1 && signatures.every(({ valid, stamped, stored, permitted }) => valid && stamped && stored && permitted); // prettier-ignore
    if (!right) fail(path, `pyHanko: ${JSON.stringify(signatures)}`);
  }
  const withInvoice = paths.filter((path) => files.get(path)?.hasInvoice);
  const verdicts = withInvoice.length > 0 ? judgeInvoices(withInvoice) : new Map();
  for (const path of withInvoice) {
    const verdict = verdicts.get(path);
    if (verdict?.isValid !== true) fail(path, `Mustang: ${verdict?.report}`);
  }
  console.log(
    `${files.size} of ${cases.length} documents, ${withInvoice.length} with an invoice, ${failed} failures`,
  );
} finally {
  await client.stop();
  await authority.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
