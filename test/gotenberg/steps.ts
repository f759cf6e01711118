import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as documents from './documents.ts';
import type { Step } from './gherkin.ts';
import type { World } from './world.ts';

/** What the steps of Gotenberg's features do and check. */

/** The text of an error differs from Gotenberg's, which is no failure. */
export class OtherWords extends Error {}

type Run = (world: World, parts: readonly string[], step: Step) => unknown;

const STEPS: readonly (readonly [RegExp, Run])[] = [
  [/^I have a (?:webhook|static) server$/, async (world) => await world.startReceiver()],
  [
    /^I make a "(GET|HEAD)" request to \w+ at the "([^"]*)" endpoint(?: with .*)?$/,
    async (world, [method = '', path = ''], { table }) =>
      await world.get(method, path, Object.fromEntries(table) as Record<string, string>),
  ],
  [
    /^I make a "POST" request to \w+ at the "([^"]*)" endpoint/,
    async (world, [path = ''], { table }) => await world.post(path, table),
  ],
  [
    /^I make (\d+) concurrent "POST" requests to \w+ at the "([^"]*)" endpoint/,
    async (world, [count, path = ''], { table }) => await world.postOften(Number(count), path, table),
  ],
  [/^I wait for the asynchronous request/, async (world) => await world.called()],
  // What Platen logs is its own.
  [/ log the following entries:$/, () => undefined],
  [
    /^the response status code should be (\d+)$/,
    ({ answer }, [status]) =>
      same(answer?.status, Number(status), answer?.body.toString('utf8').slice(0, 300)),
  ],
  [
    /^all concurrent response status codes should be (\d+)$/,
    ({ concurrent }, [status]) =>
      concurrent.forEach(({ answer }) => same(answer.status, Number(status), answer.body.toString('utf8'))),
  ],
  [
    /^all concurrent responses should have (\d+) PDF\(s\)$/,
    (world, [count]) =>
      world.concurrent.forEach(({ folder }) => same(world.names(folder).length, Number(count))),
  ],
  [/^the (.*) header "([^"]*)" should be "([^"]*)"$/, header],
  [
    /^the webhook request header "([^"]*)" should carry trace id "([^"]*)"$/,
    ({ receiver }, [name = '', trace]) =>
      same(String(receiver.last()?.headers[name.toLowerCase()]).split('-')[1], trace),
  ],
  [
    /^the server request cookie "([^"]*)" should be "([^"]*)"$/,
    ({ receiver }, [name = '', value = '']) => {
      const cookies = (receiver.last()?.headers.cookie ?? '').split('; ').map((cookie) => cookie.split('='));
      same(cookies.find(([given]) => given === name)?.[1] ?? '', value);
    },
  ],
  [/^the (.*) body should match string:$/, body((actual, expected) => actual === expected)],
  [/^the (.*) body should contain string:$/, body((actual, expected) => actual.includes(expected))],
  [
    /^the (.*) body should match JSON:$/,
    (world, [of], { document = '' }) => like(JSON.parse(bodyOf(world, of)), JSON.parse(document)),
  ],
  [
    /^the webhook event should match JSON:$/,
    async ({ receiver }, _, { document = '' }) => {
      for (let left = 50; receiver.event() === undefined && left > 0; left--) await sleep(100);
      like(JSON.parse(String(receiver.event())), JSON.parse(document));
    },
  ],
  [/^there should be (\d+) PDF\(s\) in the/, (world, [count]) => same(world.pdfs().length, Number(count))],
  [/^there should be the following file\(s\) in the/, (world, _, { table }) => names(world, table)],
  [/PDF\(s\) should be valid "([^"]*)" with a tolerance of (\d+)/, documents.conforming],
  [/PDF\(s\) should be flatten$/, documents.flattened],
  [/PDF\(s\) (should|should NOT) be encrypted$/, documents.encrypted],
  [/PDF\(s\) (should|should NOT) allow "([^"]*)"$/, documents.allowing],
  [
    /PDF\(s\) (should|should NOT) have the "([^"]*)" file embedded(?: with relationship "([^"]*)")?$/,
    documents.embedding,
  ],
  [/PDF\(s\) should declare Factur-X XMP with conformance level "([^"]*)"$/, documents.invoice],
  [/^the "([^"]*)" PDF should have (\d+) page\(s\)$/, documents.pages],
  [/^the "([^"]*)" PDF should have (\d+) image\(s\)$/, documents.images],
  [/^the "([^"]*)" PDF (should|should NOT) be set to landscape orientation$/, documents.landscape],
  [/^the "([^"]*)" PDF (should|should NOT) have a document outline$/, documents.outlined],
  [
    /^the "([^"]*)" PDF (should|should NOT) have (?:the following content|content matching "([^"]*)") at page (\d+):?$/,
    documents.content,
  ],
  [/^the "([^"]*)" image should be (\d+)x(\d+) pixels$/, documents.imageSize],
  [/^the "([^"]*)" image pixel at (\d+),(\d+) should be "([^"]*)"$/, documents.pixel],
  [
    /^the "([^"]*)" file size should be (less|greater) than (\d+) KB$/,
    (world, [name = '', than, size]) => {
      const { size: actual } = statSync(world.path(name));
      const isLess = actual < Number(size) * 1024;
      if (isLess !== (than === 'less')) throw new Error(`${name} has ${actual} bytes`);
    },
  ],
];

/** Does what a step says. @throws OtherWords; Error if it does not hold, or is not known */
export async function perform(world: World, step: Step): Promise<void> {
  for (const [pattern, run] of STEPS) {
    const parts = pattern.exec(step.text)?.slice(1);
    if (parts !== undefined) {
      await run(world, parts, step);
      return;
    }
  }
  throw new Error('this step is not known');
}

function same(actual: unknown, expected: unknown, more = ''): void {
  if (actual !== expected)
    throw new Error(`is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)} ${more}`);
}

function header(world: World, [of, name = '', expected]: readonly string[]): void {
  const actual =
    of === 'response' ? world.answer?.headers.get(name) : world.receiver.last()?.headers[name.toLowerCase()];
  // The case of a charset's name has no meaning (RFC 9110, 8.3.2).
  const comparable = (value: unknown) =>
    /^content-type$/i.test(name) ? String(value).toLowerCase() : (value ?? '');
  same(comparable(actual), comparable(expected));
}

function bodyOf(world: World, of: string | undefined): string {
  return String(of === 'response' ? world.answer?.body : world.receiver.last()?.body);
}

function body(matches: (actual: string, expected: string) => boolean): Run {
  return (world, [of], { document = '' }) => {
    const actual = bodyOf(world, of);
    if (matches(actual, document)) return;
    const isText = world.answer?.headers.get('content-type')?.startsWith('text/') === true;
    if (isText) throw new OtherWords(`${actual.slice(0, 300)}\n  instead of: ${document}`);
    throw new Error(`the body is ${actual.slice(0, 300)}`);
  };
}

/** Compares values; in the expected one, `ignore` stands for any value, and members may be missing. */
function like(actual: unknown, expected: unknown, path = ''): void {
  if (expected === 'ignore') return;
  if (path === '/message' && actual !== expected && typeof actual === 'string')
    throw new OtherWords(`${actual}\n  instead of: ${String(expected)}`);
  if (typeof expected !== 'object' || expected === null) {
    same(actual, expected, `at ${path}`);
    return;
  }
  if (Array.isArray(expected)) same((actual as unknown[] | undefined)?.length, expected.length, `at ${path}`);
  for (const [name, value] of Object.entries(expected))
    like((actual as Record<string, unknown> | undefined)?.[name], value, `${path}/${name}`);
}

function names(world: World, table: readonly string[][]): void {
  const actual = world.names();
  for (const [expected = ''] of table) {
    const part = expected.startsWith('*_') ? expected.slice(2) : undefined;
    const isThere = actual.some((name) =>
      part === undefined ? name.toLowerCase() === expected.toLowerCase() : name.includes(part),
    );
    if (!isThere)
      throw new Error(`${expected} is not among ${actual.map((name) => basename(name)).join(', ')}`);
  }
}
