import { AssemblyError, type Resource, type Template } from './template.ts';

/**
 * Resolves `Ref`, `Fn::GetAtt` and other intrinsic functions of CloudFormation for resources on this machine.
 */

export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';
/** Id of the only REST API. */
export const API_ID = 'local';

const PSEUDO_PARAMETERS: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

export class Resolver {
  readonly template: Template;
  readonly #all: readonly Template[];

  /** @param all every template of the assembly: a stack may import the exports of another. */
  constructor(template: Template, all: readonly Template[]) {
    this.template = template;
    this.#all = all;
  }

  /**
   * Returns the value with every intrinsic function resolved.
   *
   * @throws AssemblyError for an unknown function, or a reference to nothing
   */
  value(input: unknown): unknown {
    if (Array.isArray(input)) return input.map((item) => this.value(item));
    if (typeof input !== 'object' || input === null) return input;
    const entries = Object.entries(input);
    const [first] = entries;
    if (entries.length === 1 && first && (first[0] === 'Ref' || first[0].startsWith('Fn::'))) {
      return this.#intrinsic(first[0], first[1]);
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, this.value(item)]));
  }

  /** @throws AssemblyError when the resolved value is not text */
  text(input: unknown): string {
    const value = this.value(input);
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new AssemblyError(`${this.template.stack}: ${JSON.stringify(input)} does not resolve to a text.`);
  }

  /**
   * Returns the resource of a `Ref` or a `Fn::GetAtt` within its own stack; undefined for any other value.
   */
  target(input: unknown): { id: string; resource: Resource } | undefined {
    const id = referencedId(input);
    const resource = id === undefined ? undefined : this.template.resources[id];
    return id === undefined || resource === undefined ? undefined : { id, resource };
  }

  #intrinsic(name: string, argument: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.#ref(String(argument));
      case 'Fn::GetAtt': {
        const [id = '', attribute = ''] = Array.isArray(argument)
          ? (argument as string[])
          : String(argument).split('.');
        return this.#attribute(id, attribute);
      }
      case 'Fn::Join': {
        const [separator, parts] = argument as [string, unknown];
        return (this.value(parts) as unknown[]).map((part) => this.text(part)).join(separator);
      }
      case 'Fn::Sub':
        return this.#substitute(argument);
      case 'Fn::Select': {
        const [index, list] = argument as [unknown, unknown];
        return (this.value(list) as unknown[])[Number(this.value(index))];
      }
      case 'Fn::Split': {
        const [separator, text] = argument as [string, unknown];
        return this.text(text).split(separator);
      }
      case 'Fn::ImportValue':
        return this.#imported(this.text(argument));
      default:
        throw new AssemblyError(
          `${this.template.stack} uses ${name}, which the local service does not know.`,
        );
    }
  }

  #substitute(argument: unknown): string {
    const [text, variables] = Array.isArray(argument)
      ? (argument as [string, Record<string, unknown>])
      : [String(argument), {}];
    return text.replace(/\$\{([^{}]+)\}/g, (_match, name: string) => {
      if (name.startsWith('!')) return `\${${name.slice(1)}}`;
      if (name in variables) return this.text(variables[name]);
      const dot = name.indexOf('.');
      return dot < 0 ? this.text({ Ref: name }) : this.#attribute(name.slice(0, dot), name.slice(dot + 1));
    });
  }

  #ref(id: string): unknown {
    if (id in PSEUDO_PARAMETERS) return PSEUDO_PARAMETERS[id];
    if (id === 'AWS::StackName') return this.template.stack;
    if (id === 'AWS::StackId') {
      return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${this.template.stack}/local`;
    }
    const parameter = this.template.parameters[id];
    if (parameter) return parameter.Default ?? '';
    const name = physicalName(this, id);
    const type = this.template.resources[id]?.Type;
    if (type === 'AWS::SQS::Queue') return queueUrl(name);
    return type === 'AWS::SecretsManager::Secret' ? arnOf(type, name) : name;
  }

  #attribute(id: string, attribute: string): string {
    const resource = this.template.resources[id];
    if (!resource) throw new AssemblyError(`${this.template.stack} refers to ${id}, which it does not have.`);
    const name = physicalName(this, id);
    const arn = arnOf(resource.Type, name);
    if (attribute === 'Arn') return arn;
    if (resource.Type === 'AWS::S3::Bucket' && attribute.endsWith('DomainName')) {
      return `${name}.s3.${REGION}.amazonaws.com`;
    }
    return `${name}.${attribute}`;
  }

  #imported(exportName: string): unknown {
    for (const template of this.#all) {
      const resolver = new Resolver(template, this.#all);
      for (const output of Object.values(template.outputs)) {
        if (output.Export && resolver.text(output.Export.Name) === exportName)
          return resolver.value(output.Value);
      }
    }
    throw new AssemblyError(`${this.template.stack} imports ${exportName}, which no stack exports.`);
  }
}

/** Returns the logical id in `{Ref}` or `{Fn::GetAtt}`; undefined for anything else. */
function referencedId(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  if ('Ref' in input) return String(input.Ref);
  if (!('Fn::GetAtt' in input)) return undefined;
  const argument = input['Fn::GetAtt'];
  return Array.isArray(argument) ? String(argument[0]) : String(argument).split('.')[0];
}

/**
 * Returns the logical id without CDK's hash at the end, so that stored data survives a change of the stacks:
 * `Files` for `Files8E6940B8`. It keeps the hash when two resources would have the same name.
 */
export function plainId(id: string, { resources }: Template): string {
  const plain = (text: string): string => text.replace(/[0-9A-F]{8}$/, '') || text;
  const type = resources[id]?.Type;
  const shared = Object.entries(resources).some(
    ([other, resource]) => other !== id && resource.Type === type && plain(other) === plain(id),
  );
  return shared ? id : plain(id);
}

/** Properties that name a resource explicitly. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Events::Rule': 'Name',
  'AWS::StepFunctions::StateMachine': 'StateMachineName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::IAM::Role': 'RoleName',
};

/**
 * Returns the name of a resource on this machine: the explicit one, otherwise stack and plain logical id.
 *
 * @throws AssemblyError when the stack has no such resource
 */
export function physicalName(resolver: Resolver, id: string): string {
  const { stack, resources } = resolver.template;
  const resource = resources[id];
  if (!resource) throw new AssemblyError(`${stack} refers to ${id}, which it does not have.`);
  if (resource.Type === 'AWS::ApiGateway::RestApi') return API_ID;
  const property = NAME_PROPERTIES[resource.Type];
  const given = property === undefined ? undefined : resource.Properties?.[property];
  if (given !== undefined) return resolver.text(given);
  if (property === undefined) return id;
  const name = `${stack}-${plainId(id, resolver.template)}`;
  // S3 accepts lower case only, with at most 63 characters.
  return resource.Type === 'AWS::S3::Bucket'
    ? name
        .toLowerCase()
        .replace(/[^a-z0-9-]/g, '-')
        .slice(0, 63)
    : name;
}

export function functionArn(name: string): string {
  return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
}

/** Returns the `Ref` of a queue. The URL is never contacted: the SDK uses another endpoint. */
export function queueUrl(name: string): string {
  return `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}`;
}

/** Returns the ARN of a queue from its URL, which ends with account and name. */
export function queueArn(url: string): string {
  return arnOf('AWS::SQS::Queue', url.split('/').at(-1) ?? '');
}

function arnOf(type: string, name: string): string {
  switch (type) {
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${name}`;
    case 'AWS::Lambda::Function':
      return functionArn(name);
    case 'AWS::DynamoDB::Table':
    case 'AWS::DynamoDB::GlobalTable':
      return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;
    case 'AWS::SQS::Queue':
      return `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
    case 'AWS::SecretsManager::Secret':
      return `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}`;
    case 'AWS::IAM::Role':
      return `arn:aws:iam::${ACCOUNT}:role/${name}`;
    case 'AWS::Events::Rule':
      return `arn:aws:events:${REGION}:${ACCOUNT}:rule/${name}`;
    default:
      return `arn:aws:local:${REGION}:${ACCOUNT}:${name}`;
  }
}
