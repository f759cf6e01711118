import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkPdf, expectStatus, renderNow } from './client.ts';

/** The page to which each link of a document goes, as qpdf reads it: null where it goes nowhere. */
function targetsOf(pdf: Uint8Array): (number | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  const path = join(folder, 'a.pdf');
  writeFileSync(path, pdf);
  const json = execFileSync('qpdf', ['--json=2', '--json-stream-data=none', path], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const { pages, qpdf } = JSON.parse(json) as {
    pages: { object: string }[];
    qpdf: [unknown, Record<string, { value?: Record<string, unknown> }>];
  };
  const values = Object.values(qpdf[1]).map(({ value }) => value ?? {});
  const { '/Dests': dests } = values.find((value) => value['/Type'] === '/Catalog') ?? {};
  const named = typeof dests === 'string' ? qpdf[1][`obj:${dests}`]?.value : dests;
  const places = new Map(Object.entries(named ?? {}));
  return values
    .filter((value) => value['/Subtype'] === '/Link')
    .map(({ '/Dest': name }) => {
      expect(String(name).length).toBeLessThan(128);
      const [page] = (places.get(String(name)) ?? []) as string[];
      const index = pages.findIndex(({ object }) => object === page);
      return index === -1 ? null : index + 1;
    });
}

it('gives anchors with long names destinations that PDF/A accepts, on the same pages', async () => {
  const ids = [
    'права-и-обязанности-сторон',
    '第一章'.repeat(12),
    'a'.repeat(200),
    `${'a'.repeat(200)}b`,
    'short',
  ];
  const links = ids.map((id) => `<p><a href="#${id}">Go</a>`).join('');
  const heads = ids.map((id) => `<h1 id="${id}" style="break-before:page">Head</h1>`).join('');
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>A</title><body>${links}${heads}`;
  for (const style of ['', '<style>h1{text-shadow:1px 1px red}</style>']) {
    const options = { conformance: ['pdf/a-2a'], display_header_footer: false };
    const { bytes } = expectStatus(await renderNow(style + html, { options }), 200);
    checkPdf(bytes);
    expect(targetsOf(bytes)).toEqual([2, 3, 4, 5, 6]);
  }
});
