/** `npm run docs`: writes the pages of the documentation that are made from the code. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { endpointsPage } from './endpoints-page.ts';
import { ROOT } from './service.ts';

writeFileSync(path.join(ROOT, 'docs/endpoints.md'), endpointsPage());
