import { ServiceError } from '../json-api.ts';

/** An API error under its AWS name. */
export class StatesError extends ServiceError {}
