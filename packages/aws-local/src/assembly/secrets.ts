import { physicalName, type Resolver } from './resolver.ts';

/** A secret that AWS makes up, as the stacks define it. */
export interface SecretSpec {
  name: string;
  arn: string;
  /** Characters of what is made up. */
  length: number;
}

/** What Secrets Manager takes where nothing is said. */
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
