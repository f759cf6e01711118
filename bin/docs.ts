/**
 * `npm run docs`: generates the pages of the documentation and the types of the client that derive from the code.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientNameFault, clientTypes } from './client-types.ts';
import { endpointsPage } from './endpoints-page.ts';
import { withInstallation } from './installing.ts';
import { ROOT } from './service.ts';

writeFileSync(path.join(ROOT, 'docs/endpoints.md'), endpointsPage());
for (const page of globSync('docs/*.md', { cwd: ROOT })) {
  const file = path.join(ROOT, page);
  const text = readFileSync(file, 'utf8');
  if (withInstallation(text) !== text) writeFileSync(file, withInstallation(text));
}
writeFileSync(path.join(ROOT, 'packages/client/src/wire.ts'), await clientTypes());
writeFileSync(path.join(ROOT, 'packages/client/src/name-fault.ts'), clientNameFault());
