import { ServiceError } from '../json-api.ts';

/** What the API cannot do, by the name it has for it. */
export class StatesError extends ServiceError {}
