#!/usr/bin/env node
import { PlatenError } from '@platen/client';
import { Client, explanation } from './client.ts';
import {
  type Command,
  type Context,
  PartialFailure,
  SettingError,
  UsageError,
  unknownName,
} from './command.ts';
import { barcode, image } from './commands/images.ts';
import { jobs } from './commands/jobs.ts';
import { mcp } from './commands/mcp.ts';
import { pdf } from './commands/pdf.ts';
import { diff, pull, push, watch } from './commands/repository.ts';
import { batch, render } from './commands/render.ts';
import { exportAll, importAll } from './commands/archive.ts';
import { templates } from './commands/templates.ts';
import { upload } from './commands/upload.ts';
import { readConfig } from './config.ts';

/** `platen …`: a client of the service. docs/command-line.md describes it. */

const COMMANDS: Readonly<Record<string, Command>> = {
  templates,
  pull,
  push,
  diff,
  watch,
  export: exportAll,
  import: importAll,
  render,
  batch,
  image,
  barcode,
  pdf,
  jobs,
  upload,
  mcp,
};

const USAGE = [
  'platen COMMAND …        platen COMMAND --help',
  '',
  ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
  '',
  '  PLATEN_URL     URL of the service; http://localhost:8080 when absent',
  '  PLATEN_TOKEN   a token of the service',
].join('\n');

/** Exit codes: 0 done, 1 the service refused or failed, 2 the command line is wrong, 130 interrupted. */
async function main([name, ...args]: readonly string[]): Promise<number> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? say : print)(USAGE);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    say(`${unknownName('command', name, Object.keys(COMMANDS)).message}\nplaten --help lists all commands.`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    print(command.usage);
    return 0;
  }
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  try {
    const context: Context = {
      client: new Client(readConfig(), say),
      print,
      say,
      signal: interrupted.signal,
    };
    await command.run(args, context);
    return 0;
  } catch (error) {
    if (interrupted.signal.aborted) return 130;
    if (error instanceof UsageError) {
      say(
        error instanceof SettingError
          ? error.message
          : `${error.message}\nplaten ${name} --help shows how to call it.`,
      );
      return 2;
    }
    if (error instanceof PlatenError) say(`platen: ${explanation(error)}`);
    else if (error instanceof PartialFailure || isOfFileSystem(error)) say(`platen: ${error.message}`);
    else say(String((error as Error).stack));
    return 1;
  }
}

/** Returns whether an error comes from the file system, such as a full disk: its message is sufficient. */
function isOfFileSystem(error: unknown): error is Error {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

// The reader of the output may close it early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await main(process.argv.slice(2));
