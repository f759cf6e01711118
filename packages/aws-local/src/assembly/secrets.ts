import { physicalName, type Resolver } from './resolver.ts';

/** A generated secret defined in the stacks. */
export interface SecretSpec {
  name: string;
  arn: string;
  /** Characters of the generated secret. */
  length: number;
}

/** Default of Secrets Manager. */
const DEFAULT_LENGTH = 32;

export function readSecrets(resolver: Resolver): SecretSpec[] {
  return Object.entries(resolver.template.resources)
    .filter(([, { Type }]) => Type === 'AWS::SecretsManager::Secret')
    .map(([id, { Properties = {} }]) => {
      const made = (Properties['GenerateSecretString'] ?? {}) as { PasswordLength?: unknown };
      return {
        name: physicalName(resolver, id),
        arn: resolver.text({ Ref: id }),
        length: Number(resolver.value(made.PasswordLength ?? DEFAULT_LENGTH)),
      };
    });
}
