import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SCOPES } from '@platen/contract/route';

/**
 * Makes one CloudFormation template of the two stacks that the CDK has synthesised. Whoever deploys it needs no checkout,
 * no Node and no Docker: a function within the template copies the code from the files of a release into a bucket.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Entries = Record<string, Json>;

interface Stack {
  Resources: Record<string, { Metadata?: Json } & Entries>;
  Outputs: Record<string, { Export?: { Name: string }; Value: Json }>;
  Mappings?: Entries;
  Conditions?: Entries;
}

/** A file of the release that the template names. */
interface ReleaseFile {
  name: string;
  /** The folder of the assembly that it contains. */
  folder: string;
}

interface DeployedFile extends ReleaseFile {
  sha256: string;
}

const STACKS = ['Storage', 'Api'];

/** The code and layers of the stacks, by their name in the assembly's bucket. */
export function releaseFiles(assembly: string): ReleaseFile[] {
  const files = STACKS.flatMap((stack) => {
    const manifest = JSON.parse(readFileSync(path.join(assembly, `${stack}.assets.json`), 'utf8')) as {
      files: Record<string, { source: { path: string; packaging: string } }>;
    };
    return Object.entries(manifest.files);
  });
  const folders = files.filter(([, { source }]) => source.packaging === 'zip');
  return [...new Map(folders)].map(([hash, { source }]) => ({ name: nameOf(hash), folder: source.path }));
}

const nameOf = (hash: string): string => `lambda-${hash.slice(0, 20)}.zip`;

/**
 * Returns the template.
 *
 * @param assembly folder of the synthesised stacks, without the functions that are images
 * @param files the packed files
 * @param address where the files of the release are, without a slash at the end
 * @throws Error if the stacks need anything that is not a file of the release
 */
export function oneTemplate(assembly: string, files: readonly DeployedFile[], address: string): Json {
  const [storage, api] = STACKS.map(
    (name) => JSON.parse(readFileSync(path.join(assembly, `${name}.template.json`), 'utf8')) as Stack,
  ) as [Stack, Stack];
  const exported = new Map(
    Object.values(storage.Outputs).flatMap(({ Export, Value }) =>
      Export === undefined ? [] : [[Export.Name, Value] as const],
    ),
  );
  const names = new Set(files.map(({ name }) => name));
  const join = (value: Json): Json => joined(value, exported, names);
  const outputs = { ...storage.Outputs, ...api.Outputs };
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Description:
      'Platen: the document service. Its first token is in the secret that the output FirstToken opens.',
    Parameters: {
      Address: { Type: 'String', Default: address, Description: 'Where the files of the release are' },
      Tenant: {
        Type: 'String',
        Default: 'main',
        AllowedPattern: '[A-Za-z0-9][A-Za-z0-9._-]{0,63}',
        Description: 'The tenant of the first token',
      },
    },
    ...merged('Mappings', storage, api),
    ...merged('Conditions', storage, api),
    Resources: {
      ...(join(withoutMetadata(storage)) as Entries),
      ...(join(withoutMetadata(api)) as Entries),
      ...deploying(files, referenceOf(outputs['TokensTable']?.Value)),
    },
    Outputs: {
      ...(join(
        Object.fromEntries(
          Object.entries(outputs).filter(([, { Export }]) => Export === undefined),
        ) as Entries,
      ) as Entries),
      FirstToken: {
        Description: 'Opens the secret with the first token',
        Value: {
          'Fn::Sub':
            'https://${AWS::Region}.console.aws.amazon.com/secretsmanager/secret?name=${FirstToken}&region=${AWS::Region}',
        },
      },
    },
  };
  if (JSON.stringify(template).includes('cdk-hnb659fds'))
    throw new Error('The template names something of a bootstrapped account.');
  return template;
}

/** Parts of both stacks. A name that both have must mean the same. */
function merged(part: 'Mappings' | 'Conditions', ...stacks: Stack[]): Record<string, Entries> {
  const all: Entries = Object.assign({}, ...stacks.map((stack) => stack[part] ?? {}));
  return Object.keys(all).length === 0 ? {} : { [part]: all };
}

function withoutMetadata({ Resources }: Stack): Entries {
  const all: Entries = {};
  for (const [name, resource] of Object.entries(Resources)) {
    if (resource['Type'] === 'AWS::CDK::Metadata') continue;
    const { Metadata, ...rest } = resource;
    void Metadata;
    all[name] = rest;
  }
  return all;
}

/** Replaces values of the other stack, and the bucket of a bootstrapped account. */
function joined(value: Json, exported: ReadonlyMap<string, Json>, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((element) => joined(element, exported, names));
  if (typeof value !== 'object' || value === null) return value;
  const { 'Fn::ImportValue': imported, S3Key: key } = value;
  if (typeof imported === 'string') {
    const known = exported.get(imported);
    if (known === undefined) throw new Error(`No stack exports ${imported}.`);
    return known;
  }
  if (typeof key === 'string' && value['S3Bucket'] !== undefined) {
    const name = nameOf(key.replace(/\.zip$/, ''));
    if (!names.has(name)) throw new Error(`${key} is not a file of the release.`);
    return { S3Bucket: { 'Fn::GetAtt': ['ReleaseFiles', 'Bucket'] }, S3Key: name };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, joined(member, exported, names)]),
  );
}

/** Returns the name of a resource whose reference is a value. */
function referenceOf(value: Json | undefined): string {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typeof value['Ref'] === 'string'
  )
    return value['Ref'];
  throw new Error('The table of tokens is not a resource of the stacks.');
}

/** Returns the resources that copy the files and create the first token. */
function deploying(files: readonly DeployedFile[], tokens: string): Entries {
  const custom = (type: string, properties: Entries): Json => ({
    Type: type,
    Properties: {
      ServiceToken: { 'Fn::GetAtt': ['ReleaseFunction', 'Arn'] },
      // Seconds: a little more than the function may take, which otherwise answers itself.
      ServiceTimeout: '960',
      ...properties,
    },
  });
  const allow = (actions: string[], ...resources: Json[]): Json => ({
    Effect: 'Allow',
    Action: actions,
    Resource: resources,
  });
  return {
    ReleaseBucket: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      },
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    },
    FirstToken: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: {
        Description: 'Platen: the first token. Delete it when you have created others and revoked it.',
        GenerateSecretString: { PasswordLength: 43, ExcludePunctuation: true },
      },
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
    },
    ReleaseRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
          ],
        },
        ManagedPolicyArns: [
          { 'Fn::Sub': 'arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole' },
        ],
        Policies: [
          {
            PolicyName: 'deploy',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                allow(
                  ['s3:ListBucket', 's3:PutObject', 's3:DeleteObject'],
                  { 'Fn::GetAtt': ['ReleaseBucket', 'Arn'] },
                  { 'Fn::Sub': '${ReleaseBucket.Arn}/*' },
                ),
                allow(['secretsmanager:GetSecretValue'], { Ref: 'FirstToken' }),
                allow(['dynamodb:PutItem'], { 'Fn::GetAtt': [tokens, 'Arn'] }),
              ],
            },
          },
        ],
      },
    },
    ReleaseFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Description: 'Platen: copies the files of a release, and stores the first token',
        Runtime: 'python3.13',
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['ReleaseRole', 'Arn'] },
        Timeout: 900,
        MemorySize: 1024,
        Code: { ZipFile: readFileSync(path.join(import.meta.dirname, 'deploy.py'), 'utf8') },
      },
    },
    ReleaseFiles: custom('Custom::ReleaseFiles', {
      Bucket: { Ref: 'ReleaseBucket' },
      Address: { Ref: 'Address' },
      Files: files.map(({ name, sha256 }) => ({ Name: name, Sha256: sha256 })),
    }),
    FirstTokenStored: custom('Custom::FirstToken', {
      Table: { Ref: tokens },
      Secret: { Ref: 'FirstToken' },
      Tenant: { Ref: 'Tenant' },
      Scopes: [...SCOPES],
    }),
  };
}
