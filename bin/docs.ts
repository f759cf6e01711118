/**
 * `npm run docs`: generates the pages of the documentation and the types of the client that derive from the code.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientNameFault, clientTypes } from './client-types.ts';
import { endpointsPage } from './endpoints-page.ts';
import { ROOT } from './service.ts';

writeFileSync(path.join(ROOT, 'docs/endpoints.md'), endpointsPage());
writeFileSync(path.join(ROOT, 'packages/client/src/wire.ts'), await clientTypes());
writeFileSync(path.join(ROOT, 'packages/client/src/name-fault.ts'), clientNameFault());
