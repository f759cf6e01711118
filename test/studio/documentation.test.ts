import { expect, it } from 'vitest';
import { ERRORS } from '@platen/contract/errors';
import { errorSources } from '../../bin/site/errors.ts';
import { writtenSources } from '../../bin/site/sources.ts';
import { ROOT } from '../../bin/service.ts';
import { CODE_PAGE, errorPage, PAGE_OF } from '../../packages/studio/src/help-pages.ts';

const pages = new Map(
  [...writtenSources(ROOT), ...errorSources()].map(({ address, text }) => [address, text]),
);

it.each([...Object.values(PAGE_OF), CODE_PAGE, ...Object.keys(ERRORS).map(errorPage)])(
  'the Studio links to a page of the documentation: %s',
  (link) => {
    const [address = '', anchor] = link.split('#');
    const text = pages.get(address);
    expect(text).toBeDefined();
    const anchors = Array.from((text ?? '').matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    if (anchor !== undefined) expect(anchors).toContain(anchor);
  },
);
