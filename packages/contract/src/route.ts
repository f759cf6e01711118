import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** The shape of one entry of the route table (routes.ts). */

export const SCOPES = ['templates:read', 'templates:write', 'render', 'pdf', 'keys', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** One Lambda function each. */
export const FUNCTION_GROUPS = ['service', 'templates', 'render', 'images', 'pdf', 'jobs', 'tokens'] as const;
export type FunctionGroup = (typeof FUNCTION_GROUPS)[number];

/** A file field of a multipart body. A text part under the same name is taken as its content (I-6). */
export interface FileField {
  required: boolean;
  /** Several parts: `file1`, `file2`, …, or any other names. */
  many?: boolean;
  /** Any number of parts whose names begin with this one's: `img_` stands for `img_logo`, `img_stamp`, … */
  prefix?: boolean;
  description: string;
}

/** What a route answers with when it succeeds. */
export type Success =
  | { status: 200; json: z.ZodType; description: string }
  | { status: 200; document: readonly string[]; description: string }
  | { status: 204; description: string };

export interface Route {
  /** Unique; the key under which the function group registers what answers it. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** API Gateway's form: `{name}` is one segment, `{name+}` the rest. Names at one level must agree. */
  path: `/v1/${string}`;
  group: FunctionGroup;
  /**
   * Scope the token needs, the least that fits; a list: any one of these. `token`: any valid token, for what says no
   * more than the token itself; `open`: none.
   */
  access: Scope | readonly Scope[] | 'token' | 'open';
  summary: string;
  /** Path parameters with more to say than "an id". */
  params?: Readonly<Record<string, string>>;
  query?: z.ZodObject;
  /** Text fields of the body: multipart, urlencoded or JSON. */
  form?: z.ZodObject;
  files?: Readonly<Record<string, FileField>>;
  /** The body as a whole is one JSON text, which is not taken apart. */
  body?: 'json';
  success: Success;
  /** One document for each of many records: as a job it is worked on in parts. */
  batch?: true;
  /** Codes of this route beyond those every route may answer with. */
  errors: readonly ErrorCode[];
}

/** Scopes of which a token needs one for the route; none where any valid token will do, or none is asked for. */
export function scopesOf({ access }: Pick<Route, 'access'>): readonly Scope[] {
  if (access === 'token' || access === 'open') return [];
  return typeof access === 'string' ? [access] : access;
}

/** True for what makes a document: with `Prefer: respond-async` it becomes a job (I-36). */
export function canBeJob({ method, success }: Route): boolean {
  return method === 'POST' && 'document' in success;
}
