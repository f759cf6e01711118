import { createGroup, streaming } from '../shared/http/index.ts';
import { setLogLevel } from '../shared/log.ts';
import { readConfig } from './config.ts';
import { jobOperations } from './operations.ts';

const config = readConfig();
setLogLevel(config.logLevel);

export const serve = createGroup('jobs', jobOperations(config));

export const handler = streaming(serve);
