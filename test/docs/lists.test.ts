import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BARCODE_FORMATS } from '@platen/imaging/barcode';
import { OUTPUT_FORMATS } from '../../functions/render/output.ts';
import { openApiDocument } from '../../functions/service/openapi.ts';
import { SCOPES } from '../../packages/contract/src/route.ts';
import { stepMembers } from '../../packages/contract/src/steps.ts';
import { IMAGE_FORMATS } from '../../packages/imaging/src/image-type.ts';
import { PAGE_FORMATS } from '../../packages/pdf/src/operations/image-formats.ts';
import { PAPER_FORMATS } from '../../packages/print/src/paper-names.ts';

/** Lists in the OpenAPI document and in the documentation have what the service accepts, and nothing else. */

const { paths } = openApiDocument() as unknown as {
  paths: Record<string, { parameters?: { name: string; description: string }[] }>;
};
const formatOf = (path: string): string[] => {
  const { description = '' } = paths[path]?.parameters?.find(({ name }) => name === 'format') ?? {};
  return words(description.replace(/^Output format:/, '').replace(/ for a report.*$/, ''));
};
const words = (text: string): string[] =>
  Array.from(text.matchAll(/[a-z][\w-]*/gi), ([word]) => word).filter((word) => word !== 'or');
/** What stands between two texts of a page. */
function between(page: string, start: string, end: string): string {
  const [, after = ''] = readFileSync(page, 'utf8').split(start);
  return after.split(end)[0] ?? '';
}

it.each(['/v1/render/{format}', '/v1/render/{format}/batch', '/v1/render/{format}/{template_id}'])(
  'the description of %s has every output format',
  (path) => expect(formatOf(path).toSorted()).toEqual([...OUTPUT_FORMATS].toSorted()),
);

it('the description of /v1/pdf/image/{format} has every format of pictures', () => {
  expect(formatOf('/v1/pdf/image/{format}').toSorted()).toEqual(Object.keys(PAGE_FORMATS).toSorted());
});

it('docs/images.md has every barcode', () => {
  const listed = between('docs/images.md', '## Barcodes\n', '.\n\n');
  expect(words(listed).toSorted()).toEqual([...BARCODE_FORMATS].toSorted());
});

it('docs/templates.md has every format of images', () => {
  expect(words(between('docs/templates.md', '| image                  |', '|')).toSorted()).toEqual(
    [...IMAGE_FORMATS].toSorted(),
  );
});

it('docs/rendering.md has every paper', () => {
  const listed = between(
    'docs/rendering.md',
    '| `paper_format`                                                    | `A4`                |',
    '|',
  );
  const range = listed.replace('A0 to A6', 'A0 A1 A2 A3 A4 A5 A6');
  expect(words(range).toSorted()).toEqual([...PAPER_FORMATS].toSorted());
});

it('docs/getting-started.md has every scope', () => {
  const listed = between('docs/getting-started.md', 'The scopes are ', '. ');
  expect(Array.from(listed.matchAll(/`([\w:]+)`/g), ([, name]) => name)).toEqual([...SCOPES]);
});

it('docs/pdf-steps.md has every step', () => {
  const rows = between('docs/pdf-steps.md', '| step ', '\n\n').matchAll(/^\| `(\w+)`/gm);
  expect(Array.from(rows, ([, name]) => name).toSorted()).toEqual(Object.keys(stepMembers).toSorted());
});
