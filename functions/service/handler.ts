import { createGroup, json, streaming } from '../shared/http/index.ts';
import { FREE } from '../shared/http/limits.ts';
import { setLogLevel } from '../shared/log.ts';
import { config } from './config.ts';
import { openApiDocument } from './openapi.ts';

setLogLevel(config.logLevel);

/**
 * Answers the routes about the service itself. The stacks also send here the operations that this deployment does not
 * offer (501).
 */
export const serve = createGroup(
  'service',
  {
    getToken: async ({ caller }) =>
      json({ tenant: caller.tenant, scopes: [...caller.scopes], expires_at: caller.expiresAt }),
    getOpenApi: async ({ basePath }) => {
      const reply = json(openApiDocument(basePath));
      reply.headers['cache-control'] = 'public, max-age=300';
      reply.headers['access-control-allow-origin'] = '*';
      return reply;
    },
  },
  { usage: FREE, metrics: config.metrics },
);

export const handler = streaming(serve);
