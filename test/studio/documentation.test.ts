import { expect, it } from 'vitest';
import { ERRORS } from '@platen/contract/errors';
import { errorSources } from '../../bin/site/errors.ts';
import { writtenSources } from '../../bin/site/sources.ts';
import { ROOT } from '../../bin/service.ts';
import { errorPage, PAGE_OF } from '../../packages/studio/src/help-pages.ts';

const pages = new Set([...writtenSources(ROOT), ...errorSources()].map(({ address }) => address));

it.each([...Object.values(PAGE_OF), ...Object.keys(ERRORS).map(errorPage)])(
  'the Studio links to a page of the documentation: %s',
  (link) => {
    expect(pages.has(link)).toBe(true);
  },
);
