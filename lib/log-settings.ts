import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';

/** What all log groups have in common: an end for what is in them, and what becomes of them with their stack. */
export type LogSettings = Required<Pick<LogGroupProps, 'retention' | 'removalPolicy'>> &
  Pick<LogGroupProps, 'encryptionKey'>;
