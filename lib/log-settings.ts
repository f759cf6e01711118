import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';

/** The settings that all log groups share: their retention, and their removal with the stack. */
export type LogSettings = Required<Pick<LogGroupProps, 'retention' | 'removalPolicy'>> &
  Pick<LogGroupProps, 'encryptionKey'>;
