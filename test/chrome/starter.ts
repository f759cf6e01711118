/** A process that starts an engine, to be stopped while it does. Reads its `config`, writes the engine's events. */
import { json } from 'node:stream/consumers';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import { createChromePrinter } from '../../packages/print/src/chrome/printer.ts';
import { CLOSED } from './engine.ts';

const config = (await json(process.stdin)) as Partial<ChromeConfig>;
const log = (event: string, details: Record<string, unknown>): void =>
  console.log(JSON.stringify({ event, ...details }));
const printer = createChromePrinter({ ...config, log }, CLOSED);
await printer.warm();
await printer.close();
