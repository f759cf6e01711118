/** One cold start, measured from within: `bench/cold.ts` starts a new process for each. Prints milliseconds as JSON. */
import { ChromeBrowser } from '../packages/print/src/chrome/browser.ts';
import { chromeConfig } from '../packages/print/src/chrome/config.ts';
import { Gate } from '../packages/print/src/chrome/gate.ts';
import { unpackChromium } from '../packages/print/src/chrome/unpack.ts';
import { prepareDocument } from '../packages/print/src/page/document.ts';
import { PLAIN_PAGE } from '../packages/print/src/print.ts';

const [layerRoot = '', folder = '', html = ''] = process.argv.slice(2);

const laps: Record<string, number> = {};
// The clock of `performance` starts with the process.
let last = 0;
const lap = (name: string): void => {
  const now = performance.now();
  laps[name] = now - last;
  last = now;
};

lap('node and code');
const config = chromeConfig({ layerRoot, unpackDir: folder, workDir: folder });
const files = await unpackChromium(config.layerRoot, config.unpackDir);
lap('unpack');
const browser = await ChromeBrowser.launch(files, config, false);
lap('launch');
const page = await browser.openPage();
lap('open a page');
const nothing = { fetch: () => Promise.reject(new Error('nothing is loaded here')) };
const document = {
  ...prepareDocument({ html, styles: [], title: 'Invoice' }),
  resources: new Map(),
};
await page.load(new Gate(document, nothing, new AbortController().signal), PLAIN_PAGE);
lap('load');
await page.pdf(PLAIN_PAGE, '');
lap('print');
laps['all'] = last;
console.log(JSON.stringify(laps));
await browser.process.close();
