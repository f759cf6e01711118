import { ROUTES_OF_TOKENS } from '@platen/contract/groups/tokens';
import { createGroup, streaming } from '../shared/http/index.ts';
import { servingServices } from '../shared/http/serving.ts';
import { setLogLevel } from '../shared/log.ts';
import { dynamoClient } from '../shared/store/storage/dynamodb.ts';
import { readTokensConfig } from './config.ts';
import { People } from './oidc.ts';
import { tokenOperations } from './operations.ts';
import { TokenStore } from './tokens.ts';

const config = readTokensConfig();
setLogLevel(config.logLevel);

const store = new TokenStore(dynamoClient(), config.table);
const people = config.oidc && new People(config.oidc);

/** The token routes have their own function because no other function may write to the table of tokens. */
export const serve = createGroup('tokens', tokenOperations(store, people), {
  routes: ROUTES_OF_TOKENS,
  ...servingServices(config),
});

export const handler = streaming(serve);
