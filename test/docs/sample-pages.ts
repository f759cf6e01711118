import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import { asFile, checkPdf, pdfInfo, pdfText } from '../api/client.ts';
import { pdfPicture, pdfRaster, pdfWords } from '../chrome/pdf.ts';
import { barcodesIn } from '../images/barcode-reader.ts';
import { describePdf } from '../pdf/describe.ts';

/** The documents of the pages about samples: what they hold, and whether their pictures in the pages are still theirs. */

/** Which pages of a document its picture shows, with how many dpi. */
const SHOWN: Readonly<Record<string, { pages: readonly number[]; dpi: number }>> = {
  article: { pages: [1, 2], dpi: 60 },
  certificate: { pages: [1], dpi: 60 },
  contract: { pages: [1, 2], dpi: 60 },
  invoice: { pages: [1], dpi: 68 },
  labels: { pages: [1], dpi: 60 },
  letter: { pages: [1], dpi: 60 },
  receipt: { pages: [1], dpi: 96 },
  report: { pages: [1, 2, 3], dpi: 50 },
  ticket: { pages: [1], dpi: 84 },
};

const PICTURES = 'docs/pictures';
/** Set by `npm run docs:pictures`: where pictures are written instead of being compared. */
const written = process.env['PLATEN_PICTURES'];
const MM = 72 / 25.4;
const GAP = 14;

export const SAMPLE_PAGES: readonly string[] = Object.keys(SHOWN).map((name) => `docs/samples/${name}.md`);

type Got = (name: string) => Buffer;

/** @param got the files that the commands of the pages have made */
export async function checkSamples(got: Got): Promise<void> {
  const ofPage = readdirSync('docs/samples').filter((name) => name !== 'README.md');
  expect(ofPage.map((name) => `docs/samples/${name}`).toSorted()).toEqual(SAMPLE_PAGES);
  expect(readdirSync('samples').toSorted()).toEqual(Object.keys(SHOWN));
  for (const [name, { pages, dpi }] of Object.entries(SHOWN)) {
    checkPdf(got(`${name}.pdf`));
    await comparePicture(
      `sample-${name}.png`,
      pages.map((page) => pdfPicture(got(`${name}.pdf`), page, dpi)),
    );
  }
  lookAtTexts(got);
  lookAtSheets(got);
  await lookAtCodes(got);
  await lookAtEdges(got);
}

function lookAtTexts(got: Got): void {
  expect(pdfText(got('invoice.pdf'))).toMatch(/VAT 25% +€2,275\.00\n[^]*Total +€11,375\.00\n[^]*Page 1 of 1/);
  const contract = pdfText(got('contract.pdf')).split('\f');
  expect(contract[0]).toMatch(/forty-eight thousand six hundred euros[^]*§ ?4 +Rights[^]*Page 1 of 2/);
  expect(contract[1]).toMatch(/§ ?7[^]*Marit Halvorsen.*Anton Quill[^]*C-2026-041 +Page 2 of 2/);
  const report = pdfText(got('report.pdf')).split('\f').slice(0, -1);
  for (const [index, title] of ['Summary', 'Buildings', 'Mobility', 'Measures', 'Method'].entries()) {
    const page = report.findIndex((text) => new RegExp(`^ *${index + 1} +${title}$`, 'm').test(text)) + 1;
    expect(report[1]).toMatch(new RegExp(`^ *${index + 1} +${title} +${page}$`, 'm'));
  }
  expect(report[3]).toMatch(/^\s*Mobility +Energy Report 2026\n/);
  expect(report[2]).toContain('(see Measures (page 5))');
  expect(pdfText(got('letter.pdf'))).toMatch(
    /8004 Zürich\n[^]*Brussels, 24 November 2026\n[^]*measuring hall\n[^]*With kind regards,\n/,
  );
  lookAtNotes(got);
  const bought = pdfText(got('receipt.pdf'));
  expect(bought).toMatch(/Total +€44\.99[^]*B 13\.5% +9\.69 +1\.31 +11\.00/);
}

/** Each note is at the foot of the page that its number is on, and pages have their wider margin inside. */
function lookAtNotes(got: Got): void {
  const all = pdfWords(got('article.pdf'));
  // Without the numbers of the pages.
  const words = all.filter(({ bottom }) => bottom < 195 * MM);
  const notes = { 1: 'Lindholm', 2: 'First', 3: 'The', 4: 'Listed', 5: 'It' };
  for (const [number, start] of Object.entries(notes)) {
    const [call, marker, ...others] = words.filter(({ text }) => text === number);
    expect(others).toEqual([]);
    expect(marker?.page).toBe(call?.page);
    expect(call?.page).toBe(Number(number) < 3 ? 1 : 2);
    expect(marker?.top).toBeGreaterThan(160 * MM);
    expect(words[words.findLastIndex(({ text }) => text === number) + 1]?.text).toBe(start);
  }
  const edges = [1, 2].map((page) => words.filter((word) => word.page === page).map(({ left }) => left / MM));
  expect(edges.map((lefts) => Math.round(Math.min(...lefts)))).toEqual([22, 16]);
}

/** Sizes of paper, and where labels stand on theirs. */
function lookAtSheets(got: Got): void {
  const size = (name: string): number[] => {
    const [, width, height] = /([\d.]+) x ([\d.]+) pts/.exec(pdfInfo(got(name))['Page size'] ?? '') ?? [];
    return [Number(width) / MM, Number(height) / MM];
  };
  expect(size('ticket.pdf').map(Math.round)).toEqual([210, 82]);
  const [width = 0, height = 0] = size('receipt.pdf');
  expect(width).toBeCloseTo(80, 0);
  const lowest = Math.max(...pdfWords(got('receipt.pdf')).map(({ bottom }) => bottom / MM));
  expect(height - lowest).toBeGreaterThan(6);
  expect(height - lowest).toBeLessThan(10);
  for (const name of ['ticket.pdf', 'certificate.pdf', 'receipt.pdf', 'invoice.pdf'])
    expect(pdfInfo(got(name))['Pages'], name).toBe('1');

  const sheets = asFile(got('labels.pdf'), describePdf);
  expect(sheets.pages).toHaveLength(9);
  expect(sheets.outline).toHaveLength(200);
  expect([sheets.outline[0]?.page, sheets.outline[23]?.page, sheets.outline[24]?.page]).toEqual([1, 1, 2]);
  const ids = pdfWords(got('labels.pdf')).filter(({ text }) => /^10[012]\d\d$/.test(text));
  expect(ids.map(({ text }) => text).toSorted()).toEqual(
    Array.from({ length: 200 }, (_, i) => `${10001 + i}`),
  );
  for (const { text, page, left, top } of ids) {
    const place = Number(text) - 10001;
    const [column, row] = [Math.floor(left / MM / 70), Math.floor(top / MM / 37.125)];
    expect([page - 1, row, column], text).toEqual([
      Math.floor(place / 24),
      Math.floor((place % 24) / 3),
      place % 3,
    ]);
  }
}

async function lookAtCodes(got: Got): Promise<void> {
  const codes = async (name: string, dpi = 150): Promise<string[]> =>
    (await barcodesIn(sharp(pdfPicture(got(name), 1, dpi)))).toSorted();
  expect(await codes('invoice.pdf')).toEqual([
    'QRCode:BCD\n002\n1\nSCT\n\nNorthlight Studio\nDK5000400440116243\nEUR11375.00\n\n\nInvoice 2026-0117',
  ]);
  expect(await codes('ticket.pdf', 250)).toEqual(['Code128:NT26-C17-8F3K', 'QRCode:NT26-C17-8F3K']);
  expect(await codes('receipt.pdf')).toEqual(['Code128:4017-0093']);
  expect(await codes('certificate.pdf')).toEqual(['QRCode:https://academy.example/check/7Q4K-29XD']);
}

/** What is to reach the edges of the paper does. */
async function lookAtEdges(got: Got): Promise<void> {
  const corners = async (name: string): Promise<string[]> => {
    const { at, width, height } = await pdfRaster(got(name), 1, 36);
    return [at(0, 0), at(0, height - 2), at(width - 2, height - 2)].map(
      (rgb) => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
    );
  };
  expect(await corners('certificate.pdf')).toEqual(['#f8f5ec', '#f8f5ec', '#f8f5ec']);
  expect(await corners('ticket.pdf')).toEqual(['#16213f', '#16213f', '#fbf6ec']);
  expect((await corners('report.pdf'))[0]).toBe('#0c3b3a');
}

/** Fails where the picture in the documentation is another one, or writes it. */
export async function comparePicture(name: string, pages: readonly Buffer[]): Promise<void> {
  const file = path.join(written ?? PICTURES, name);
  const picture = await sideBySide(pages);
  if (written !== undefined) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await picture.png({ palette: true, colours: 128, effort: 10 }).toBuffer());
    return;
  }
  const now = await pixelsOf(picture);
  const then = await pixelsOf(sharp(file));
  const stale = `${file} is not what the document looks like: npm run docs:pictures`;
  expect([now.width, now.height], stale).toEqual([then.width, then.height]);
  let differences = 0;
  for (const [at, value] of now.data.entries()) differences += Math.abs(value - (then.data[at] ?? 0));
  expect(differences / now.data.length, stale).toBeLessThan(3);
}

async function pixelsOf(picture: Sharp): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Pages beside one another, each with an edge, on a grey that is seen on white and on black. */
export async function sideBySide(pages: readonly Buffer[]): Promise<Sharp> {
  const sizes = await Promise.all(pages.map((page) => sharp(page).metadata()));
  let left = GAP;
  const placed = pages.map((input, index) => {
    const place = { input, left, top: GAP };
    left += (sizes[index]?.width ?? 0) + GAP;
    return place;
  });
  const height = Math.max(...sizes.map((size) => size.height)) + 2 * GAP;
  const sheet = sharp({ create: { width: left, height, channels: 3, background: '#dfe2e6' } });
  return sharp(await sheet.composite(placed).png().toBuffer());
}
