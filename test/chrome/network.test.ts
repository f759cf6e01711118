import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import { testNetwork, testOutsideResources } from '../print/network.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';

describe.each(['multi', 'single'] as const)('Chromium, %s-process', (mode) => {
  testNetwork((fetcher) => startEngine({ mode }, fetcher));

  it('loads what scripts request over http, in a secure context, and names what it refuses by itself (I-22)', async () => {
    const site = createServer((_, response) =>
      response.setHeader('access-control-allow-origin', '*').end('FETCHED'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
    const from = `http://site.example:${(site.address() as AddressInfo).port}`;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true, resolve });
    const { printer, stop } = await startEngine({ mode }, fetcher);
    const named = { missing: new Set<string>(), failed: new Set<string>(), reported: new Set<string>() };
    const html = `<p id="p">x<script>
      p.append(isSecureContext + ' ' + location.protocol + ' ' + new URL('a', document.baseURI).host.endsWith('.invalid'));
      fetch('${from}/fetch').then((r) => r.text()).then((t) => p.append(' ' + t));
      const x = new XMLHttpRequest(); x.open('GET', '${from}/xhr', false); x.send(); p.append(' XHR ' + x.status);
      fetch('https://gone.test/data').catch(() => p.append(' GONE'));
      </script><iframe src="${from}/frame?a=1"></iframe><iframe src="https://gone.test/frame"></iframe>
      <link rel="stylesheet" href="file:///a.css"><img src="file:///b.png"><img src="cid:logo"><img src="blob:https://a.test/1">
      <style>b { background: url(file:///c.png) }</style><b>y`;
    const pdf = await printOnce(printer, {
      ...document(html),
      missing: (address) => named.missing.add(address),
      faults: { failed: (address) => named.failed.add(address), message: null },
      observer: {
        resource: ({ address, error }) => void (error !== null && named.reported.add(address)),
        console: () => undefined,
        layout: () => undefined,
        lacking: [],
      },
    });
    expect(pdfText(pdf)).toMatch(/true https: true XHR 200[^]*FETCHED/);
    const refused = [
      'blob:https://a.test/1',
      'cid:logo',
      'file:///a.css',
      'file:///b.png',
      'file:///c.png',
      `${from}/frame?a=1`,
      'https://gone.test/data',
      'https://gone.test/frame',
    ];
    for (const found of [named.missing, named.failed, named.reported])
      expect([...found].toSorted()).toEqual(refused.toSorted());
    await stop();
    site.close();
  });
});

describe('Chromium', () => {
  testOutsideResources((fetcher) => startEngine({}, fetcher));

  it.each([
    ['a script', `<script>location = 'https://a.test/x'</script>`, 'https://a.test/x'],
    ['a form', '<form action="b"></form><script>document.forms[0].submit()</script>', 'b?'],
    ['a link that a script clicks', '<a href="c">c</a><script>document.links[0].click()</script>', 'c'],
  ])(
    'prints the document that is left by %s, and names where it would have led',
    async (_, html, address) => {
      const { printer, stop } = await startEngine({});
      const warnings: string[] = [];
      const pdf = await printOnce(printer, {
        ...document(`<p>kept</p>${html}`),
        warn: (text) => void warnings.push(text),
      });
      expect(pdfText(pdf)).toContain('kept');
      expect(warnings).toEqual([`The document was not left for ${address}.`]);
      await stop();
    },
  );
});
