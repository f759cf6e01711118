import { describe, expect, it } from 'vitest';
import { type Context, optionsJson } from '../../packages/cli/src/command.ts';
import { pdf } from '../../packages/cli/src/commands/pdf.ts';
import { readConfig } from '../../packages/cli/src/config.ts';
import { STEP_NAMES } from '../../packages/pdf/src/steps/types.ts';
import { platen } from './run.ts';

const COMMANDS = ['templates', 'render', 'batch', 'image', 'barcode', 'pdf', 'jobs', 'upload'];
const NOWHERE = { PLATEN_URL: 'http://127.0.0.1:1', PLATEN_TOKEN: 'secret-token' };

describe('the command line', () => {
  it('lists its commands, on standard error with exit code 2 when none is given', async () => {
    const asked = await platen(['--help']);
    for (const command of COMMANDS) expect(asked.stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(await platen([])).toEqual({ code: 2, stdout: '', stderr: asked.stdout });
    const unknown = await platen(['redner']);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toBe(
      'There is no command redner; did you mean render?\nplaten --help lists all commands.\n',
    );
  });

  it.each(COMMANDS)('prints the usage of %s, without a token', async (command) => {
    const { code, stdout } = await platen([command, '--help']);
    expect({ code, first: stdout.split(' ', 2) }).toEqual({ code: 0, first: ['platen', command] });
  });

  it('does each step of a chain alone, too', async () => {
    const help = (await platen(['pdf', '--help'])).stdout;
    for (const step of STEP_NAMES) {
      const action = step.replaceAll('_', '-');
      expect(help).toMatch(new RegExp(`\\b${action}\\b`));
      // It is known: what is missing is what it is for.
      await expect(pdf.run([action], {} as Context)).rejects.toThrow(/is missing|two files/);
    }
    await expect(pdf.run(['nonsense'], {} as Context)).rejects.toThrow('There is no command pdf nonsense.');
  });

  it.each([
    [
      'an option there is not',
      ['render', 'x', '--dta', 'y'],
      /^There is no option --dta; did you mean --data\?/,
    ],
    [
      'a field as an option',
      ['pdf', 'stamp', 'a.pdf', '--text', 'COPY'],
      /^There is no option --text.* A field of stamp is written as --field text=VALUE\./,
    ],
    ['no template', ['render'], /TEMPLATE is missing/],
    ['two templates', ['render', 'a', 'b'], /Only one TEMPLATE/],
    ['a file there is not', ['render', 'missing.html'], /There is no file missing\.html/],
    ['no data', ['batch', 'someid'], /--data is missing/],
    ['an option that is no pair', ['barcode', '123', '--option', 'paper_format'], /write it as name=value/],
    ['a list that is not JSON', ['barcode', '1', '--option', 'background_color=[1,'], /not valid JSON/],
    ['one file to merge', ['pdf', 'merge', 'a.pdf'], /At least two files/],
    ['pages that are none', ['pdf', 'split', 'a.pdf', '--pages', 'x'], /"x" is not a page/],
    ['no list of steps', ['pdf', 'process', 'a.pdf'], /--steps is missing/],
    [
      'a list of steps that is not there',
      ['pdf', 'process', 'a.pdf', '--steps', 'no.json'],
      /no\.json cannot be read/,
    ],
    ['no password', ['pdf', 'encrypt', 'a.pdf'], /--password is missing/],
    ['an action there is not', ['jobs', 'stop', 'x'], /There is no command jobs stop/],
    [
      'an action with letters in another order',
      ['pdf', 'inof', 'a.pdf'],
      /^There is no command pdf inof; did you mean info\?/,
    ],
    ['an option without its value', ['render', 'x', '--data'], /argument missing/],
    [
      'files of its own for a stored template',
      ['render', 'x', '--style', 'a.css'],
      /A stored template has its own files/,
    ],
    ['nothing to delete', ['templates', 'delete'], /ID is missing/],
  ])('refuses %s with exit code 2, before it calls the service', async (_what, args, message) => {
    const { code, stdout, stderr } = await platen(args, { env: NOWHERE });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    // What is wrong, and where the rest is.
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(message),
      `platen ${args[0]} --help shows how to call it.`,
    ]);
  });

  it('names a missing or wrong variable (exit code 2), and an unreachable address (1)', async () => {
    expect(await platen(['jobs'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^PLATEN_TOKEN/) as string,
    });
    const wrong = await platen(['jobs'], { env: { ...NOWHERE, PLATEN_URL: 'localhost' } });
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^PLATEN_URL is "localhost"/) as string,
    });
    const { code, stderr } = await platen(['jobs'], {
      env: { ...NOWHERE, PLATEN_URL: 'http://127.0.0.1:65535' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^platen: http:\/\/127\.0\.0\.1:65535 cannot be reached: the connection was refused/,
    );
    expect(stderr).not.toContain('secret-token');
  });
});

it('PLATEN_URL may end in /v1, in slashes, and lie below a stage', () => {
  const urls = ['', 'http://h:1/', 'https://h/v1', 'https://h/live/v1/'];
  expect(urls.map((PLATEN_URL) => readConfig({ PLATEN_URL }).url)).toEqual([
    'http://localhost:8080',
    'http://h:1',
    'https://h',
    'https://h/live',
  ]);
});

it('options keep their text, except for lists and objects', () => {
  const json = optionsJson(['scale=0.8', 'encrypt_password=1e5', 'title=a=b', 'background_color=[255,0,0]']);
  expect(json).toBe('{"scale":"0.8","encrypt_password":"1e5","title":"a=b","background_color":[255,0,0]}');
  expect(optionsJson(undefined)).toBeUndefined();
});
