import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/functions.ts';
import type { Platen } from '../../lib/platen.ts';
import { placeholders, stacksIn } from './placeholders.ts';

/** Synthesising the stacks in memory, and reading the templates with nothing of the stacks' own code. */

const folders: string[] = [];
// Files of one worker share this module, so that no file's end is the end of them.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone when the tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-stacks-'));
  folders.push(folder);
  return folder;
}

/** The assets of an assembly, with everything in them, that have modes other than 755 for folders and 644 or 755 for files. */
export function unreadable(outdir: string): string[] {
  const assets = readdirSync(outdir).filter((name) => name.startsWith('asset.'));
  if (assets.length === 0) throw new Error(`${outdir} has no assets`);
  return assets
    .flatMap((asset) => [
      asset,
      ...(lstatSync(path.join(outdir, asset)).isDirectory()
        ? readdirSync(path.join(outdir, asset), { recursive: true, encoding: 'utf8' }).map((name) =>
            path.join(asset, name),
          )
        : []),
    ])
    .flatMap((name) => {
      const stats = lstatSync(path.join(outdir, name));
      const mode = (stats.mode & 0o777).toString(8);
      const isRight = mode === '755' || (mode === '644' && !stats.isDirectory());
      return isRight || stats.isSymbolicLink() ? [] : [`${mode} ${name}`];
    });
}

export interface Definition extends Platen {
  app: App;
}

/** The stacks, not synthesised yet, as `cdk.json` and `switches` (without their prefix) make them. */
export function define(
  switches: Readonly<Record<string, unknown>> = {},
  functions: readonly FunctionName[] = FUNCTION_NAMES,
  options: { validate?: boolean } = {},
): Definition {
  const artifacts = placeholders(temporaryFolder(), functions);
  return stacksIn(temporaryFolder(), switches, artifacts, options.validate);
}

export interface Templates {
  storage: Template;
  api: Template;
}

const synthesised = new Map<string, Templates>();

/** The templates of the stacks that `define` gives; made once in a worker for all who ask for the same. */
export function synthesize(...args: Parameters<typeof define>): Templates {
  const key = JSON.stringify(args);
  const known = synthesised.get(key);
  if (known !== undefined) return known;
  const { storage, api } = define(...args);
  const templates = { storage: Template.fromStack(storage), api: Template.fromStack(api) };
  synthesised.set(key, templates);
  return templates;
}

/** An intrinsic function or a plain value, as CloudFormation writes it. */
export type Value = string | { Ref?: string; [intrinsic: string]: unknown };

export interface Resource<P> {
  Type: string;
  Properties: P;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** Resources of one type by logical id. `P`: the properties the test looks at. */
export function resources<P>(template: Template, type: string): [string, Resource<P>][] {
  return Object.entries(template.findResources(type)) as unknown as [string, Resource<P>][];
}

/** The logical id in `{ "Fn::GetAtt": [id, …] }` or `{ "Ref": id }`. */
export function idIn(value: unknown): string {
  const text = JSON.stringify(value);
  const found = /"(?:Ref|Fn::GetAtt)":\[?"([^"]+)"/.exec(text)?.[1];
  if (found === undefined) throw new Error(`no reference in ${text}`);
  return found;
}

export interface FunctionProperties {
  Description: string;
  Handler: string;
  Runtime: string;
  Architectures: string[];
  MemorySize: number;
  Timeout: number;
  EphemeralStorage?: { Size: number };
  Role: Value;
  Layers?: Value[];
  Environment: { Variables: Record<string, Value> };
  TracingConfig: { Mode: string };
  LoggingConfig: Record<string, Value>;
  ReservedConcurrentExecutions?: number;
  VpcConfig?: { SubnetIds: Value[]; SecurityGroupIds: Value[] };
}

/** The deployed functions by the name they have in the code. Logical ids begin with it. */
export function lambdas(api: Template): Map<FunctionName, [string, FunctionProperties]> {
  const all = resources<FunctionProperties>(api, 'AWS::Lambda::Function');
  return new Map(
    FUNCTION_NAMES.flatMap((name) => {
      const found = all.find(([id]) => id.startsWith(`${name}Function`));
      return found === undefined ? [] : [[name, [found[0], found[1].Properties]]];
    }),
  );
}

/** What API Gateway does with the requests of one method. */
export interface Integration {
  type: string;
  httpMethod?: string;
  uri?: Value;
  responseTransferMode?: string;
  timeoutInMillis?: number;
  contentHandling?: string;
  passthroughBehavior?: string;
  requestTemplates?: Record<string, string>;
  responses?: Record<string, ImportedResponse>;
}

export interface ImportedResponse {
  statusCode: string;
  contentHandling?: string;
  responseParameters: Record<string, string>;
  responseTemplates: Record<string, string>;
}

interface ImportedMethod {
  parameters: { name: string; in: string }[];
  responses: Record<string, { headers: Record<string, unknown> }>;
  security?: Record<string, unknown>[];
  'x-amazon-apigateway-integration': Integration;
}

/** The OpenAPI document that the stack imports as its API. */
export interface ApiBody {
  paths: Record<string, Record<string, ImportedMethod>>;
  components: {
    securitySchemes: Record<string, { 'x-amazon-apigateway-authorizer': Record<string, Value> }>;
  };
  'x-amazon-apigateway-gateway-responses': Record<string, ImportedResponse>;
  [extension: `x-amazon-apigateway-${string}`]: unknown;
}

/** The REST API of the stack: its logical id and its properties. */
export function restApi(api: Template): [string, { Body: ApiBody; [property: string]: unknown }] {
  const [found] = resources<{ Body: ApiBody }>(api, 'AWS::ApiGateway::RestApi');
  if (found === undefined) throw new Error('the stack has no API');
  return [found[0], found[1].Properties];
}

export interface Method {
  path: string;
  /** `ANY` for all methods that the path does not have otherwise. */
  method: string;
  /** Names of the authorizers, of which a caller needs one. */
  authorizers: string[];
  parameters: string[];
  responses: ImportedMethod['responses'];
  integration: Integration;
}

/** The methods of the API. */
export function methods(api: Template): Method[] {
  return Object.entries(restApi(api)[1].Body.paths).flatMap(([path, found]) =>
    Object.entries(found).map(([method, { security = [], parameters, responses, ...rest }]) => ({
      path,
      method: method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase(),
      authorizers: security.flatMap((one) => Object.keys(one)),
      parameters: parameters.map(({ name }) => name),
      responses,
      integration: rest['x-amazon-apigateway-integration'],
    })),
  );
}
