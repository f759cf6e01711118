import { ERRORS, type ErrorCode, problemType } from '@platen/contract/errors';
import { ERROR_PAGES } from '../../docs/.vitepress/errors/index.ts';
import { addressOf, type Source } from './sources.ts';

/** Generates a page for each error code: the cause, an example, and what to do. */

const FOLDER = 'docs/errors';

/** Returns the pages of all error codes. docs/errors.md lists the codes. */
export function errorSources(): Source[] {
  return (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const file = `${FOLDER}/${code}.md`;
    return { file, address: addressOf(file), text: pageOf(code) };
  });
}

function pageOf(code: ErrorCode): string {
  const { status, title } = ERRORS[code];
  const { cause, remedy, request, detail } = ERROR_PAGES[code];
  const answer = { type: problemType(code), title, status, detail, code, request_id: '4cf2a4a1-…' };
  return [
    `# ${code}`,
    '',
    `**${status}: ${title}.** ${cause}`,
    '',
    '## What to do',
    '',
    remedy,
    '',
    '## Example',
    '',
    ...(request === undefined ? [] : ['```sh', request, '```', '', 'The answer:', '']),
    '```json',
    JSON.stringify(answer, null, 2),
    '```',
    '',
    'The members of an answer and all other codes: [errors](../errors.md).',
    '',
  ].join('\n');
}
