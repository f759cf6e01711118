import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** The type of one entry of the route table (routes.ts). */

export const SCOPES = ['templates:read', 'templates:write', 'render', 'pdf', 'keys', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Function groups, each of which is one Lambda function. */
export const FUNCTION_GROUPS = ['service', 'templates', 'render', 'images', 'pdf', 'jobs', 'tokens'] as const;
export type FunctionGroup = (typeof FUNCTION_GROUPS)[number];

/** A file field of a multipart body. A text part of the same name counts as its content (I-6). */
export interface FileField {
  required: boolean;
  /** Accepts several parts: `file1`, `file2`, …, or any other names. */
  many?: boolean;
  /**
   * Accepts any number of parts whose names begin with this name: `img_` stands for `img_logo`, `img_stamp`,
   * …
   */
  prefix?: boolean;
  description: string;
}

/** The response of a route when it succeeds; `responses.ts` has the schemas of JSON. */
export type Success =
  | { status: 200; json: true; description: string }
  | { status: 200; document: readonly string[]; description: string }
  | { status: 204; description: string };

export interface Route {
  /** Unique name, under which the function group registers its handler. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * Path in API Gateway's notation: `{name}` is one segment, `{name+}` the rest. Parameters at the same level
   * must have the same name.
   */
  path: `/v1/${string}`;
  group: FunctionGroup;
  /**
   * Scope that the token needs, the narrowest that fits; for a list, any one of them. `token`: any valid
   * token, for routes that reveal no more than the token itself; `open`: no token.
   */
  access: Scope | readonly Scope[] | 'token' | 'open';
  summary: string;
  /** Descriptions of path parameters, where "an id" is not enough. */
  params?: Readonly<Record<string, string>>;
  query?: z.ZodObject;
  /** Text fields of the body: multipart, urlencoded or JSON. */
  form?: z.ZodObject;
  files?: Readonly<Record<string, FileField>>;
  /** The body is one JSON text, which is passed on unparsed. */
  body?: 'json';
  success: Success;
  /** The route makes one document per record; as a job, it is processed in parts. */
  batch?: true;
  /** Error codes of this route, in addition to those of every route. */
  errors: readonly ErrorCode[];
}

/**
 * Returns the scopes of which a token needs one for the route; an empty list when any valid token or no token
 * is enough.
 */
export function scopesOf({ access }: Pick<Route, 'access'>): readonly Scope[] {
  if (access === 'token' || access === 'open') return [];
  return typeof access === 'string' ? [access] : access;
}

/**
 * Returns whether the route makes a document: `Prefer: respond-async` then turns the request into a job
 * (I-36).
 */
export function canBeJob({ method, success }: Route): boolean {
  return method === 'POST' && 'document' in success;
}
