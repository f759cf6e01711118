import { resolve } from 'node:path';
import { readResourcePolicies, readRoles, type RoleSpec } from './access.ts';
import { type ApiSpec, readApi } from './api.ts';
import { type FunctionSpec, readFunctions } from './functions.ts';
import { Resolver } from './resolver.ts';
import { type EventSourceSpec, type QueueSpec, readEventSources, readQueues } from './queues.ts';
import { readSecrets, type SecretSpec } from './secrets.ts';
import { readSchedules, type ScheduleSpec } from './schedules.ts';
import { type BucketSpec, readBuckets, readTables, type TableSpec } from './storage.ts';
import { readStateMachines, type StateMachineSpec } from './states.ts';
import { AssemblyError, readTemplates } from './template.ts';

export type { RoleSpec } from './access.ts';
export type {
  ApiSpec,
  AuthorizerSpec,
  FunctionIntegration,
  GatewayResponseSpec,
  MockIntegration,
  RouteSpec,
  ThrottleSpec,
} from './api.ts';
export type { FunctionSpec } from './functions.ts';
export { ACCOUNT, API_ID, functionArn, queueArn, REGION } from './resolver.ts';
export type { EventSourceSpec, QueueSpec } from './queues.ts';
export type { ScheduleSpec } from './schedules.ts';
export type { SecretSpec } from './secrets.ts';
export type { StateMachineSpec } from './states.ts';
export type { BucketSpec, TableSpec } from './storage.ts';
export { AssemblyError } from './template.ts';

/** The parts of the stacks that run on this machine. */
export interface Assembly {
  directory: string;
  functions: ReadonlyMap<string, FunctionSpec>;
  api: ApiSpec;
  schedules: ScheduleSpec[];
  secrets: SecretSpec[];
  machines: StateMachineSpec[];
  /** Roles of functions and state machines. */
  roles: RoleSpec[];
  /** Policy documents of buckets and queues. */
  resourcePolicies: unknown[];
  queues: QueueSpec[];
  eventSources: EventSourceSpec[];
  tables: TableSpec[];
  buckets: BucketSpec[];
  /** Outputs of all stacks, by their names in the stacks. */
  outputs: ReadonlyMap<string, string>;
}

/**
 * Reads the synthesised stacks in `directory` (CDK's `cdk.out`).
 *
 * @throws AssemblyError when they do not exist, or contain something that cannot run here
 */
export async function readAssembly(directory: string): Promise<Assembly> {
  const templates = await readTemplates(resolve(directory));
  const resolvers = templates.map((template) => new Resolver(template, templates));
  const apis = resolvers.map(readApi).filter((api) => api !== null);
  const [api] = apis;
  if (!api || apis.length > 1)
    throw new AssemblyError(`${directory} holds ${apis.length} REST APIs instead of one.`);
  const functions = resolvers.flatMap(readFunctions);
  const machines = resolvers.flatMap(readStateMachines);
  // Code in the template itself only runs in deployments.
  const running = [...functions.filter(({ code }) => code !== null), ...machines];
  const wanted = new Set(running.flatMap(({ role }) => role ?? []));
  return {
    directory: resolve(directory),
    functions: new Map(functions.map((spec) => [spec.name, spec])),
    api,
    schedules: resolvers.flatMap(readSchedules),
    secrets: resolvers.flatMap(readSecrets),
    machines,
    roles: resolvers.flatMap((resolver) => readRoles(resolver, wanted)),
    resourcePolicies: resolvers.flatMap(readResourcePolicies),
    queues: resolvers.flatMap(readQueues),
    eventSources: resolvers.flatMap(readEventSources),
    tables: resolvers.flatMap(readTables),
    buckets: resolvers.flatMap(readBuckets),
    outputs: new Map(resolvers.flatMap(readOutputs)),
  };
}

/** Returns the outputs without CDK's exports between stacks and without values that cannot be known here. */
function readOutputs(resolver: Resolver): [string, string][] {
  return Object.entries(resolver.template.outputs).flatMap(([name, output]): [string, string][] => {
    if (output.Export) return [];
    try {
      return [[name, resolver.text(output.Value)]];
    } catch (error) {
      if (error instanceof AssemblyError) return [];
      throw error;
    }
  });
}
