import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WHOLE_FONTS } from '../../packages/print/src/webkit/engine/everyday.ts';
import type { Confinement } from '../../functions/convert/confinement.ts';
import { ProcessEnded } from '../../functions/convert/host-process.ts';
import { WebKitProcess } from '../../functions/convert/webkit/process.ts';
import { printOnce } from '../chrome/engine.ts';
import { showsColour, pdfText } from '../convert/support.ts';
import { CONFINED } from '../support/confined.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/**
 * Html that names files of the disk (I-22). Two things keep WebKit from them, each on its own: the kernel, and
 * the rules of what is loaded. Each is tried here without the other.
 */

const SECRET = 'TOP-SECRET-OF-ANOTHER';
const MAGENTA = [255, 0, 255] as const;
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><g id="g"><rect width="300" height="300" fill="#f0f"/></g></svg>';
/** The kernel keeps nothing from it. */
const OPEN: Confinement = { ...CONFINED, reads: ['/'] };

const ATTACKS: Record<string, (place: string) => string> = {
  'an image': (place) => `<img src="${place}/picture.svg">`,
  'a frame': (place) => `<iframe src="${place}/page.html" width="300" height="300"></iframe>`,
  'the source of a frame': (place) =>
    `<iframe src="view-source:${place}/page.html" width="300" height="300"></iframe>`,
  'an object': (place) => `<object data="${place}/page.html" width="300" height="300"></object>`,
  'an embedded file': (place) => `<embed src="${place}/picture.svg" width="300" height="300">`,
  'an image in a drawing': (place) =>
    `<svg width="300" height="300"><image href="${place}/picture.svg" width="300" height="300"/></svg>`,
  'an old link in a drawing': (place) =>
    `<svg width="300" height="300" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${place}/picture.svg" width="300" height="300"/></svg>`,
  'a part of another drawing': (place) =>
    `<svg width="300" height="300"><use href="${place}/picture.svg#g"/></svg>`,
  'a background': (place) =>
    `<div style="width: 300px; height: 300px; background: url('${place}/picture.svg')"></div>`,
  'an import of styles': (place) => `<style>@import url("${place}/style.css");</style>`,
  'a stylesheet': (place) => `<link rel="stylesheet" href="${place}/style.css">`,
  'a base address': (place) => `<base href="${place}/"><img src="picture.svg">`,
  'an address to go to': (place) => `<meta http-equiv="refresh" content="0; url=${place}/page.html">`,
  'a script that goes there': (place) => `<script>location = '${place}/page.html'</script>`,
  'a script that asks for it': (place) =>
    `<p id="p"></p><script>const r = new XMLHttpRequest(); try { r.open('GET', '${place}/page.html', false); r.send(); document.getElementById('p').textContent = r.responseText } catch {}</script>`,
  'a transformation': (place) =>
    `<iframe width="300" height="300" src="data:text/xml,${encodeURIComponent(`<?xml-stylesheet type="text/xsl" href="${place}/style.xsl"?><a/>`)}"></iframe>`,
  'an external entity': (place) =>
    `<iframe width="300" height="300" src="data:text/xml,${encodeURIComponent(`<!DOCTYPE a [<!ENTITY e SYSTEM "${place}/text.txt">]><a>&e;</a>`)}"></iframe>`,
};

let folder: string;
let place: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  place = pathToFileURL(folder).href;
  const files = {
    'picture.svg': DRAWING,
    'page.html': `<p>${SECRET}</p>`,
    'text.txt': SECRET,
    'style.css': 'body { background: #f0f !important }',
    'style.xsl': `<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:template match="/"><p>${SECRET}</p></x:template></x:stylesheet>`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('html that names a file of the disk', () => {
  describe('loads nothing if only the content rules of WebKit confine it:', () => {
    let engine: TestEngine;
    beforeAll(async () => {
      engine = await startWebKit({ confinement: OPEN });
    });
    afterAll(() => engine.stop());

    test.each(Object.keys(ATTACKS))('%s', async (name) => {
      const pdf = await printOnce(
        engine.printer,
        `<!doctype html><p>still here</p>${ATTACKS[name]?.(place)}`,
      );
      expect(pdfText(pdf)).toContain('still here');
      expect(pdfText(pdf)).not.toContain(SECRET);
      expect(showsColour(pdf, MAGENTA)).toBe(false);
    });
  });

  /** Prints a document to which a file is handed over that lies anywhere. */
  async function printWith(confinement: Confinement): Promise<Buffer> {
    const workDir = mkdtempSync(path.join(tmpdir(), 'platen-webkit-test-'));
    const options = { workDir, fontConfig: null, confinement, maxFileBytes: 2 ** 28 };
    const webkit = await WebKitProcess.start(options, AbortSignal.timeout(60_000));
    try {
      expect(new Set(Object.values(webkit.confinement))).toEqual(new Set(['held']));
      const work = path.join(webkit.folder, 'document');
      mkdirSync(work);
      const [html, output] = [path.join(work, 'body.html'), path.join(work, 'body.pdf')];
      writeFileSync(html, '<p>still here</p><img src="platen:picture">');
      const answer = await webkit.print({
        html,
        output,
        address: 'platen://document/',
        resources: { 'platen:picture': { file: path.join(folder, 'picture.svg'), type: 'image/svg+xml' } },
        sheet: { width: 210, height: 297, top: 10, right: 10, bottom: 10, left: 10 },
        room: { width: 718, height: 1047 },
        style: '',
        generic: WHOLE_FONTS.generic,
        script: '',
        settle: 'await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));',
        asks: false,
        backgrounds: true,
        transparent: false,
        owner: 'x',
        keep: false,
      });
      expect(answer).toEqual({ ok: true, leaves: true });
      await webkit.left();
      return readFileSync(output);
    } finally {
      await webkit.kill();
      rmSync(workDir, { recursive: true });
    }
  }

  test('is shown with the file if nothing confines it', async () => {
    expect(showsColour(await printWith(OPEN), MAGENTA)).toBe(true);
  });

  test('is kept from the file by the kernel alone', async () => {
    await expect(printWith(CONFINED)).rejects.toThrow(ProcessEnded);
  });
});
