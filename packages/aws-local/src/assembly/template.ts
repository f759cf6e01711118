import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Reads a cloud assembly: its stacks, their CloudFormation templates, and the paths of their assets. */

export interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
}

export interface Template {
  /** Name of the stack. */
  stack: string;
  resources: Readonly<Record<string, Resource>>;
  parameters: Readonly<Record<string, { Default?: unknown }>>;
  outputs: Readonly<Record<string, { Value: unknown; Export?: { Name: unknown } }>>;
  /** Folder or file of an asset, by the key under which it would be uploaded (or, for an image, tagged). */
  assets: ReadonlyMap<string, string>;
}

/** The assembly does not exist, or contains something that the local service cannot run. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError';
}

interface Manifest {
  artifacts?: Record<
    string,
    {
      type: string;
      properties?: { templateFile?: string; stackName?: string; directoryName?: string; file?: string };
      dependencies?: string[];
    }
  >;
}

interface AssetManifest {
  files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey: string }> }>;
  dockerImages?: Record<
    string,
    { source: { directory?: string }; destinations: Record<string, { imageTag: string }> }
  >;
}

/**
 * Returns all templates of the assembly in `directory`, including nested assemblies.
 *
 * @throws AssemblyError when there is no assembly
 */
export async function readTemplates(directory: string): Promise<Template[]> {
  const manifest = await readJson<Manifest>(join(directory, 'manifest.json'));
  const templates: Template[] = [];
  for (const [id, artifact] of Object.entries(manifest.artifacts ?? {})) {
    const properties = artifact.properties ?? {};
    if (artifact.type === 'cdk:cloud-assembly' && properties.directoryName !== undefined) {
      templates.push(...(await readTemplates(join(directory, properties.directoryName))));
    }
    if (artifact.type === 'aws:cloudformation:stack' && properties.templateFile !== undefined) {
      const body = await readJson<{
        Resources?: Template['resources'];
        Parameters?: Template['parameters'];
        Outputs?: Template['outputs'];
      }>(join(directory, properties.templateFile));
      templates.push({
        stack: properties.stackName ?? id,
        resources: body.Resources ?? {},
        parameters: body.Parameters ?? {},
        outputs: body.Outputs ?? {},
        assets: await readAssets(directory, manifest, artifact.dependencies ?? []),
      });
    }
  }
  return templates;
}

async function readAssets(
  directory: string,
  manifest: Manifest,
  dependencies: readonly string[],
): Promise<Map<string, string>> {
  const assets = new Map<string, string>();
  for (const id of dependencies) {
    const artifact = manifest.artifacts?.[id];
    if (artifact?.type !== 'cdk:asset-manifest' || artifact.properties?.file === undefined) continue;
    const path = join(directory, artifact.properties.file);
    const { files = {}, dockerImages = {} } = await readJson<AssetManifest>(path);
    for (const { source, destinations } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations)) {
        if (source.path !== undefined) assets.set(objectKey, resolve(dirname(path), source.path));
      }
    }
    for (const { source, destinations } of Object.values(dockerImages)) {
      for (const { imageTag } of Object.values(destinations)) {
        if (source.directory !== undefined) assets.set(imageTag, resolve(dirname(path), source.directory));
      }
    }
  }
  return assets;
}

async function readJson<T>(path: string): Promise<T> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new AssemblyError(`${path} cannot be read: the stacks have not been synthesised.`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new AssemblyError(`${path} is not JSON: delete its folder and start again.`, { cause: error });
  }
}
