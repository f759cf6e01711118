/** A process that prints a document, to be killed while it does. Reads `{config, html}` from its input. */
import { json } from 'node:stream/consumers';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import { createChromePrinter } from '../../packages/print/src/chrome/printer.ts';
import { CLOSED, document, PLAIN } from './engine.ts';

const { config, html } = (await json(process.stdin)) as { config: Partial<ChromeConfig>; html: string };
const printer = createChromePrinter(config, CLOSED);
await printer.warm();
const print = printer.session('victim').print(document(html), PLAIN);
setTimeout(() => console.log('printing'), 500);
await print;
