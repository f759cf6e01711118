import { roleOf } from './access.ts';
import { physicalName, plainId, type Resolver } from './resolver.ts';
import { AssemblyError, type Resource } from './template.ts';

/** A Lambda function defined in the stacks. */
export interface FunctionSpec {
  name: string;
  /** Short name for people: `render`. */
  label: string;
  /** `index.handler` */
  handler: string;
  /** Folder of the code; null for code in the template itself, which only runs in deployments. */
  code: string | null;
  /** Folders that are merged into `/opt`, first to last. */
  layers: string[];
  environment: Record<string, string>;
  memoryMb: number;
  /** Size of /tmp. */
  ephemeralMb: number;
  timeoutMs: number;
  /** Maximum events at a time, in all environments together, when the stacks reserve a number. */
  reservedConcurrency: number | null;
  /** The number of events that one environment can handle at a time; 1 for a function that does not say. */
  concurrency: number;
  /** ARN of its role; null for a role that its stack does not define, which has no rights here. */
  role: string | null;
}

/** Key of a function's metadata. */
const CONCURRENCY = 'platen:concurrency';

export function readFunctions(resolver: Resolver): FunctionSpec[] {
  return Object.entries(resolver.template.resources)
    .filter(([, resource]) => resource.Type === 'AWS::Lambda::Function')
    .map(([id, resource]) => readFunction(resolver, id, resource));
}

function readFunction(resolver: Resolver, id: string, resource: Resource): FunctionSpec {
  const properties = (resource.Properties ?? {}) as {
    Handler?: string;
    Code?: { S3Key?: unknown; ImageUri?: unknown; ZipFile?: unknown };
    ImageConfig?: { Command?: string[] };
    Layers?: unknown[];
    Environment?: { Variables?: Record<string, unknown> };
    MemorySize?: number;
    EphemeralStorage?: { Size?: number };
    Timeout?: number;
    ReservedConcurrentExecutions?: number;
    Role?: unknown;
  };
  const name = physicalName(resolver, id);
  return {
    name,
    label: plainId(id, resolver.template)
      .replace(/Function$/, '')
      .toLowerCase(),
    handler: properties.Handler ?? properties.ImageConfig?.Command?.[0] ?? 'index.handler',
    code: readCode(resolver, name, properties.Code ?? {}),
    layers: (properties.Layers ?? []).map((layer) => layerFolder(resolver, name, layer)),
    environment: Object.fromEntries(
      Object.entries(properties.Environment?.Variables ?? {}).map(([key, value]) => [
        key,
        resolver.text(value),
      ]),
    ),
    memoryMb: properties.MemorySize ?? 128,
    ephemeralMb: properties.EphemeralStorage?.Size ?? 512,
    timeoutMs: (properties.Timeout ?? 3) * 1000,
    reservedConcurrency: properties.ReservedConcurrentExecutions ?? null,
    concurrency: Number(resource.Metadata?.[CONCURRENCY] ?? 1),
    role: roleOf(resolver, properties.Role),
  };
}

function readCode(
  resolver: Resolver,
  name: string,
  code: { S3Key?: unknown; ImageUri?: unknown; ZipFile?: unknown },
): string | null {
  if (code.S3Key !== undefined) return asset(resolver, name, resolver.text(code.S3Key));
  if (code.ImageUri !== undefined) {
    // The image is registry/repository:tag, and the tag is the asset's hash.
    return asset(resolver, name, resolver.text(code.ImageUri).split(':').at(-1) ?? '');
  }
  return null;
}

function layerFolder(resolver: Resolver, name: string, layer: unknown): string {
  const content = resolver.target(layer)?.resource.Properties?.['Content'] as { S3Key?: unknown } | undefined;
  if (content?.S3Key === undefined) {
    throw new AssemblyError(`The function ${name} has a layer that is not part of its stack.`);
  }
  return asset(resolver, name, resolver.text(content.S3Key));
}

function asset(resolver: Resolver, name: string, key: string): string {
  const path = resolver.template.assets.get(key);
  if (path === undefined)
    throw new AssemblyError(`The function ${name} needs the asset ${key}: it is missing.`);
  if (path.endsWith('.zip')) {
    throw new AssemblyError(
      `The function ${name} needs ${path}, a ZIP file: the local service runs folders only.`,
    );
  }
  return path;
}
