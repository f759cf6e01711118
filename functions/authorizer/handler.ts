import { setLogLevel } from '../shared/log.ts';
import { dynamoClient } from '../shared/store/storage/dynamodb.ts';
import { TokenStore } from './tokens.ts';
import { authorize, type AuthorizerEvent } from './authorize.ts';
import { config } from './config.ts';

setLogLevel(config.logLevel);
const tokens = new TokenStore(dynamoClient(), config.table);

export const handler = (event: AuthorizerEvent) => authorize(event, tokens);
