import { setLogLevel } from '../shared/log.ts';
import { dynamoClient } from '../shared/store/storage/dynamodb.ts';
import { TokenStore } from './tokens.ts';
import { authorize, type AuthorizerEvent } from './authorize.ts';
import { config } from './config.ts';
import { People } from './oidc.ts';

setLogLevel(config.logLevel);
const tokens = new TokenStore(dynamoClient(), config.table);

const people = config.oidc && new People(config.oidc);

export const handler = (event: AuthorizerEvent) => authorize(event, tokens, people);
