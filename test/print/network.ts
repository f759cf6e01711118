import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadWebPage } from '../../packages/print/src/page/web-page.ts';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfRaster, pdfText } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

/** Everything that reached a listener, as `<listener> <first line>`. */
const arrived: string[] = [];
let tcp4: Server;
let tcp6: Server | null;
let udp: Datagrams;
let port: number;
let port6: number;
let udpPort: number;

async function listen(host: string, name: string): Promise<Server | null> {
  const server = createServer((socket) => {
    arrived.push(`${name} connection`);
    socket.on('data', (data) => arrived.push(`${name} ${data.toString('latin1').split('\r\n')[0]}`));
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 6\r\n\r\nSECRET');
  });
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(0, host, () => resolve(server));
  });
}

/** Ways to reach the network, each with the html that tries it. No request may arrive at `P`, a port of 127.0.0.1. */
const WAYS: Record<string, (P: number, P6: number, U: number) => string> = {
  'an image': (P) => `<img src="http://127.0.0.1:${P}/img">`,
  'an image by host name': (P) => `<img src="http://localhost:${P}/name">`,
  'a name below localhost': (P) => `<img src="http://a.localhost:${P}/name">`,
  'an IPv6 address': (_, P6) => `<img src="http://[::1]:${P6}/v6">`,
  'an IPv4-mapped IPv6 address': (P) => `<img src="http://[::ffff:127.0.0.1]:${P}/mapped">`,
  'a decimal address': (P) => `<img src="http://2130706433:${P}/dec">`,
  'a hexadecimal address': (P) => `<img src="http://0x7f000001:${P}/hex">`,
  'an octal address': (P) => `<img src="http://0177.0.0.1:${P}/oct">`,
  'a short address': (P) => `<img src="http://127.1:${P}/short">`,
  'the unspecified address': (P) => `<img src="http://0.0.0.0:${P}/zero">`,
  'an address with a name in front': (P) => `<img src="http://public.example@127.0.0.1:${P}/userinfo">`,
  'a public name of a private address': (P) => `<img src="http://127.0.0.1.nip.io:${P}/nip">`,
  https: (P) => `<img src="https://127.0.0.1:${P}/tls">`,
  'the metadata service': () => `<img src="http://169.254.169.254/latest/meta-data/">`,
  'a stylesheet': (P) => `<link rel="stylesheet" href="http://127.0.0.1:${P}/css">`,
  'an imported stylesheet': (P) => `<style>@import url(http://127.0.0.1:${P}/import);</style>`,
  'a background': (P) => `<p style="background:url(http://127.0.0.1:${P}/bg)">x`,
  'a font': (P) =>
    `<style>@font-face{font-family:f;src:url(http://127.0.0.1:${P}/font)}p{font-family:f}</style><p>x`,
  'a script': (P) => `<script src="http://127.0.0.1:${P}/script"></script>`,
  'a module': (P) => `<script type="module">import "http://127.0.0.1:${P}/module"</script>`,
  'an iframe': (P) => `<iframe src="http://127.0.0.1:${P}/iframe"></iframe>`,
  'an iframe in an iframe': (P) =>
    `<iframe srcdoc='<iframe src="http://127.0.0.1:${P}/nested"></iframe>'></iframe>`,
  'an object': (P) =>
    `<object data="http://127.0.0.1:${P}/object"></object><embed src="http://127.0.0.1:${P}/embed">`,
  'an SVG use': (P) =>
    `<svg><use href="http://127.0.0.1:${P}/use.svg#a"/><image href="http://127.0.0.1:${P}/svgimage"/></svg>`,
  'an SVG image that loads': (P) =>
    `<img src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1:${P}/insvg"/></svg>`)}">`,
  media: (P) =>
    `<video src="http://127.0.0.1:${P}/video" poster="http://127.0.0.1:${P}/poster" autoplay></video><audio src="http://127.0.0.1:${P}/audio" autoplay></audio>`,
  'a meta refresh': (P) => `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${P}/refresh">`,
  'a navigation': (P) => `<script>location.href = "http://127.0.0.1:${P}/location"</script>`,
  'a form': (P) =>
    `<form id="f" method="post" action="http://127.0.0.1:${P}/form"></form><script>f.submit()</script>`,
  'a window': (P) =>
    `<script>window.open("http://127.0.0.1:${P}/open")</script><a id="a" target="_blank" href="http://127.0.0.1:${P}/blank" ping="http://127.0.0.1:${P}/ping">a</a><script>a.click()</script>`,
  preconnect: (P) =>
    `<link rel="preconnect" href="http://127.0.0.1:${P}"><link rel="dns-prefetch" href="http://127.0.0.1:${P}">`,
  'prefetch and preload': (P) =>
    `<link rel="prefetch" href="http://127.0.0.1:${P}/prefetch"><link rel="preload" as="image" href="http://127.0.0.1:${P}/preload"><link rel="modulepreload" href="http://127.0.0.1:${P}/modulepreload"><link rel="prerender" href="http://127.0.0.1:${P}/prerender">`,
  'speculation rules': (P) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["http://127.0.0.1:${P}/speculation"]}],"prerender":[{"urls":["http://127.0.0.1:${P}/prerendered"]}]}</script>`,
  'an icon and a manifest': (P) =>
    `<link rel="icon" href="http://127.0.0.1:${P}/icon"><link rel="manifest" href="http://127.0.0.1:${P}/manifest">`,
  fetch: (P) =>
    `<script>fetch("http://127.0.0.1:${P}/fetch"); fetch("http://127.0.0.1:${P}/post", {method: "POST", mode: "no-cors", body: "x", keepalive: true})</script>`,
  XMLHttpRequest: (P) =>
    `<script>const x = new XMLHttpRequest(); x.open("PUT", "http://127.0.0.1:${P}/xhr", false); try { x.send() } catch {}</script>`,
  'a beacon': (P) => `<script>navigator.sendBeacon("http://127.0.0.1:${P}/beacon", "x")</script>`,
  'an event source': (P) => `<script>new EventSource("http://127.0.0.1:${P}/events")</script>`,
  WebSocket: (P) =>
    `<script>new WebSocket("ws://127.0.0.1:${P}/ws"); new WebSocket("ws://localhost:${P}/ws")</script>`,
  WebTransport: (P) => `<script>try { new WebTransport("https://127.0.0.1:${P}/wt") } catch {}</script>`,
  WebRTC: (P, _, U) =>
    `<script>const c = new RTCPeerConnection({iceServers: [{urls: ["stun:127.0.0.1:${U}", "stun:127.0.0.1:${P}?transport=tcp"]}, {urls: "turn:127.0.0.1:${P}?transport=tcp", username: "u", credential: "c"}]}); c.createDataChannel("d"); c.createOffer().then((o) => c.setLocalDescription(o))</script>`,
  'a worker': (P) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:${P}/worker'); importScripts('http://127.0.0.1:${P}/imported'); new WebSocket('ws://127.0.0.1:${P}/workersocket')"])))</script>`,
  'a shared worker': (P) =>
    `<script>new SharedWorker("data:text/javascript,fetch('http://127.0.0.1:${P}/shared')")</script>`,
  'a service worker': (P) =>
    `<script>navigator.serviceWorker.register("/sw.js"); navigator.serviceWorker.register("http://127.0.0.1:${P}/sw.js")</script>`,
  'a worklet': (P) =>
    `<script>CSS.paintWorklet?.addModule("http://127.0.0.1:${P}/worklet"); new AudioContext().audioWorklet.addModule("http://127.0.0.1:${P}/audioworklet")</script>`,
  'a report': (P) =>
    `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri http://127.0.0.1:${P}/report"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`,
  'a frame that escapes': (P) =>
    `<iframe src='data:text/html,<script>fetch("http://127.0.0.1:${P}/dataframe"); new WebSocket("ws://127.0.0.1:${P}/datasocket"); top.location = "http://127.0.0.1:${P}/top"</script>'></iframe><iframe srcdoc='<script>new WebSocket("ws://127.0.0.1:${P}/srcdoc")</script>'></iframe>`,
  'an XSLT': (P) =>
    `<iframe src="data:text/xml,${encodeURIComponent(`<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="http://127.0.0.1:${P}/xslt"?><!DOCTYPE a SYSTEM "http://127.0.0.1:${P}/dtd"><a/>`)}"></iframe>`,
  'a download': (P) =>
    `<a id="a" download href="http://127.0.0.1:${P}/download">a</a><script>a.click()</script>`,
  'a form that is sent by a picture': (P) =>
    `<form action="http://127.0.0.1:${P}/get"><input id="i" type="image" src="http://127.0.0.1:${P}/input"></form><script>i.click()</script>`,
  'a form in another window': (P) =>
    `<form id="f" target="_blank" method="post" action="http://127.0.0.1:${P}/blank"></form><script>f.submit()</script>`,
  'an import map and a dynamic import': (P) =>
    `<script type="importmap">{"imports":{"a":"http://127.0.0.1:${P}/mapped.js"}}</script><script type="module">import("a"); import("http://127.0.0.1:${P}/dynamic.js")</script>`,
  'a fetch that outlives its page': (P) =>
    `<script>fetchLater?.("http://127.0.0.1:${P}/later", {activateAfter: 0}); onpagehide = () => fetch("http://127.0.0.1:${P}/pagehide", {keepalive: true})</script>`,
  'the sources of a picture': (P) =>
    `<picture><source srcset="http://127.0.0.1:${P}/source 1x"><img srcset="http://127.0.0.1:${P}/set 1x"></picture><p style="background:image-set(url(http://127.0.0.1:${P}/imageset) 1x)">x`,
  'a refusal that is reported': (P) =>
    `<script>new ReportingObserver(() => {}).observe(); fetch("file:///etc/hostname", {headers: {a: "b"}}).catch(() => {})</script><link rel="dns-prefetch preconnect" crossorigin href="//127.0.0.1:${P}">`,
  'another protocol': (P) =>
    `<a id="a" href="ftp://127.0.0.1:${P}/ftp">a</a><iframe src="ftp://127.0.0.1:${P}/ftpframe"></iframe><script>a.click()</script>`,
};

/** Tests which requests of an engine are refused and which are allowed (I-22). */
export function testNetwork(start: Start): void {
  describe('what a document reaches from inside the engine (I-22)', () => {
    listenForDocuments();
    let printer: HtmlPrinter;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      ({ printer, stop } = await start(createFetcher({ outside: 'open', timeout: 2_000 })));
    });
    afterAll(() => stop());

    it.each(Object.keys(WAYS))('nothing by %s', async (name) => {
      const html = `<!doctype html><p>before</p>${WAYS[name]?.(port, port6, udpPort)}<p>after</p><script>
        const until = Date.now() + 60;
        addEventListener('load', () => { while (Date.now() < until); });
      </script>`;
      const pdf = await printOnce(printer, html);
      // The printed page is still that of the document itself.
      expect(pdfText(pdf)).toContain('before');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(arrived).toEqual([]);
    });

    it('no file of the machine', async () => {
      const html = `<iframe src="file:///etc/passwd" width="600" height="300"></iframe><img src="file:///etc/passwd">
        <object data="file:///etc/passwd"></object><script>
        document.write('[' + document.cookie + ']');
        fetch('file:///etc/passwd').then((r) => r.text()).then((t) => document.write(t), () => document.write('refused'));
        </script>`;
      expect(pdfText(await printOnce(printer, html))).not.toContain('root:');
    });
  });
}

/** Tests the resources that documents load from outside, through the fetcher. */
export function testOutsideResources(start: Start): void {
  describe('outside resources', () => {
    listenForDocuments();

    let server: HttpServer;
    let base: string;
    let requests: { url: string; host: string }[];
    const RED =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="#f00"/></svg>';

    beforeAll(async () => {
      server = createHttpServer((request, response) => {
        requests.push({ url: request.url ?? '', host: request.headers.host ?? '' });
        response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(RED);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      requests = [];
    });
    afterAll(() => void server.close());

    it('of an allowed address are loaded and shown', async () => {
      const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true });
      const { printer, stop } = await start(fetcher);
      const page = await pdfRaster(await printOnce(printer, `<img src="${base}/red.svg">`));
      expect(page.box(([r, g, b]) => r > 200 && g < 50 && b < 50)).not.toBeNull();
      expect(requests).toHaveLength(1);
      await stop();
    });

    it('over http, from a host by its name, are loaded as those over https are (I-22)', async () => {
      const seen: string[] = [];
      const site = createHttpServer((request, response) => {
        seen.push(request.url ?? '');
        const [type, text] = request.url?.endsWith('.css')
          ? ['text/css', `p::after{content:"SHEET"}`]
          : request.url?.endsWith('.js')
            ? ['text/javascript', 'document.body.append("SCRIPT")']
            : ['image/svg+xml', RED];
        response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(text);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
      const from = `http://site.example:${(site.address() as AddressInfo).port}`;
      const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true, resolve });
      const { printer, stop } = await start(fetcher);
      const missing: string[] = [];
      const html = `<style>@import url(${from}/i.css);@font-face{font-family:f;src:url(${from}/f.woff)}b{font-family:f}</style>
        <link rel="stylesheet" href="${from}/s.css"><p>x<b>y</b><script src="${from}/s.js"></script><img src="${from}/red.svg">`;
      const pdf = await printOnce(printer, {
        ...document(html),
        missing: (address) => missing.push(address),
      });
      expect(seen.toSorted()).toEqual(['/f.woff', '/i.css', '/red.svg', '/s.css', '/s.js']);
      expect(pdfText(pdf)).toMatch(/SHEET[^]*SCRIPT/);
      expect((await pdfRaster(pdf)).box(([r, g, b]) => r > 200 && g < 50 && b < 50)).not.toBeNull();
      expect(missing).toEqual([]);
      await stop();
      site.close();
    });

    it('are loaded once for all documents of a session', async () => {
      const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true });
      const { printer, stop } = await start(fetcher);
      const session = printer.session('batch');
      const html = `<img src="${base}/red.svg"><link rel="stylesheet" crossorigin href="${base}/red.svg">`;
      await Promise.all(Array.from({ length: 8 }, () => session.print(document(html), PLAIN)));
      // The address is requested once as an image and once as a style sheet.
      expect(requests).toHaveLength(2);
      await stop();
    });

    it('behind a redirect to an address that is not allowed are not loaded', async () => {
      // 127.0.0.2 stands for the public internet, 127.0.0.1 for the private network.
      const gate = createHttpServer((_, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${port}/private` }).end(),
      );
      await new Promise<void>((resolve) => gate.listen(0, '127.0.0.2', () => resolve()));
      const fetcher = createFetcher({
        outside: 'open',
        isAllowedAddress: (address) => address === '127.0.0.2',
      });
      const { printer, stop } = await start(fetcher);
      await printOnce(
        printer,
        `<img src="http://127.0.0.2:${(gate.address() as AddressInfo).port}/redirect">`,
      );
      expect(arrived).toEqual([]);
      await stop();
      gate.close();
    });

    it('that cannot be had are named, and the place of an image stays empty', async () => {
      const { printer, stop } = await start();
      const missing: string[] = [];
      const html =
        '<img src="https://gone.example/a.png" alt="" width="300" height="200"><img src="own.png" width="300" height="200"><link rel="stylesheet" href="https://gone.example/b.css">';
      const pdf = await printOnce(printer, {
        ...document(html),
        missing: (address) => missing.push(address),
      });
      expect((await pdfRaster(pdf)).box(([r, g, b]) => Math.min(r, g, b) < 250)).toBeNull();
      expect([...new Set(missing)].toSorted()).toEqual([
        'https://gone.example/a.png',
        'https://gone.example/b.css',
        'own.png',
      ]);
      await stop();
    });

    it('that are images have their alternate texts in their places', async () => {
      const { printer, stop } = await start();
      const image = (more: string): string => `<img src="https://gone.example/a.png" ${more}>`;
      const html = `<style>body { margin: 0 } .wide { width: 100% }</style>${image('alt="The logo of Ada" width="300" height="200"')}<p>below
        <p>${image('class="wide" alt="Wide"')}<p style="display: none">${image('alt="Hidden"')}<p>${image('alt=" "')}
        <p><picture><source srcset="https://gone.example/b.png">${image('alt="Écran"')}</picture>`;
      const text = pdfText(await printOnce(printer, document(html)));
      expect(text.match(/\S+/g)).toEqual(['The', 'logo', 'of', 'Ada', 'below', 'Wide', 'Écran']);
      const handled = image('alt="Alt" onerror="this.replaceWith(&quot;instead&quot;)"');
      expect(pdfText(await printOnce(printer, document(handled))).trim()).toBe('instead');
      await stop();
    });

    it('on a disk, or in an e-mail, are named', async () => {
      const { printer, stop } = await start();
      const missing = new Set<string>();
      const html = '<img src="file:///c.png"><p style="background:url(file:///d.png)">x<img src="cid:e">';
      await printOnce(printer, { ...document(html), missing: (address) => missing.add(address) });
      expect([...missing].toSorted()).toEqual(['cid:e', 'file:///c.png', 'file:///d.png']);
      await stop();
    });

    it('that are no images leave their places empty, and are named', async () => {
      const site = createHttpServer((request, response) => {
        const isSvg = request.url?.endsWith('.svg') === true;
        response.writeHead(200, { 'content-type': isSvg ? 'image/svg+xml' : 'image/png' });
        response.end(isSvg ? '<svg xmlns="http://www.w3.org/2000/svg"><rect></svg>' : '<p>not found');
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
      const from = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true });
      const { printer, stop } = await start(fetcher);
      const told = new Set<string>();
      const size = 'width="300" height="100"';
      const own = printer.resourceUrl('images/own');
      const html = `<img src="${from}/a.png" ${size}><img src="${from}/b.svg" ${size}><img src="${own}" ${size}>
        <svg ${size}><image href="${from}/c.png" ${size}/></svg><p style="background:url(${from}/d.png)">&nbsp;</p>`;
      // The file is only the beginning of a PNG.
      const cut = { contentType: 'image/png', bytes: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') };
      const pdf = await printOnce(printer, {
        ...document(html),
        resources: new Map([['images/own', cut]]),
        missing: (address, why) => told.add(`${why} ${address.replace(from, '')}`),
      });
      expect((await pdfRaster(pdf)).box(([r, g, b]) => Math.min(r, g, b) < 250)).toBeNull();
      expect([...told].toSorted()).toEqual([
        'unreadable /a.png',
        'unreadable /b.svg',
        'unreadable /c.png',
        'unreadable /d.png',
        'unreadable images/own',
      ]);
      await stop();
      site.close();
    });

    it('of a web page that is printed are found from its address, and it leaves nothing for the next (I-34)', async () => {
      const site = createHttpServer((request, response) => {
        requests.push({ url: request.url ?? '', host: request.headers.host ?? '' });
        const isPage = request.url === '/dir/page';
        response.writeHead(200, { 'content-type': isPage ? 'text/html' : 'image/svg+xml' });
        const page = `<p id="p">at </p><script>p.textContent += location.href + ' found ' + localStorage.getItem('k'); localStorage.setItem('k', 'SECRET')</script><img src="red.svg">`;
        response.end(isPage ? page : RED);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
      const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/dir/page`;
      const fetcher = createFetcher({ outside: 'open', isAllowedAddress: () => true });
      const { printer, stop } = await start(fetcher);
      for (let n = 0; n < 2; n++) {
        const { html, address: at } = await loadWebPage(fetcher, address);
        const pdf = await printOnce(printer, { ...document(html), address: at });
        expect(pdfText(pdf)).toContain(`at ${address} found null`);
        expect((await pdfRaster(pdf)).box(([r, g, b]) => r > 200 && g < 50 && b < 50)).not.toBeNull();
      }
      expect(requests.map(({ url }) => url)).toEqual([
        '/dir/page',
        '/dir/red.svg',
        '/dir/page',
        '/dir/red.svg',
      ]);
      await stop();
      site.close();
    });

    it('are not loaded where they are switched off, nor from hosts that are not listed', async () => {
      for (const outside of ['off', ['example.com']] as const) {
        const { printer, stop } = await start(createFetcher({ outside, isAllowedAddress: () => true }));
        await printOnce(printer, `<img src="${base}/red.svg"><p>x`);
        expect(requests).toEqual([]);
        await stop();
      }
    });
  });
}

/** Listeners that must not receive any request. */
function listenForDocuments(): void {
  beforeAll(async () => {
    tcp4 = (await listen('127.0.0.1', 'tcp4')) ?? expect.unreachable('no loopback');
    tcp6 = await listen('::1', 'tcp6');
    port = (tcp4.address() as AddressInfo).port;
    port6 = tcp6 === null ? port : (tcp6.address() as AddressInfo).port;
    udp = createSocket('udp4', (message) => arrived.push(`udp ${message.length} bytes`));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', () => resolve()));
    udpPort = udp.address().port;
  });
  afterAll(() => {
    tcp4.close();
    tcp6?.close();
    udp.close();
  });
  beforeEach(() => void arrived.splice(0));
}
