import { once } from 'node:events';
import { join } from 'node:path';
import { startDynamo } from './dynamodb.ts';
import { Access } from '../iam/access.ts';
import { holdFolder } from './hold.ts';
import { faultOf, type StorageCommand, type StorageEvent, type StorageOrder } from './messages.ts';
import { startS3 } from './s3.ts';

/**
 * The storage process. It is a separate process, because dynalite responds to a file system error by ending
 * its process, and SQLite blocks its process while it writes. It ends when the service ends, even after a
 * crash.
 */

function tell(news: StorageEvent, then = (): void => {}): void {
  process.send?.(news, then);
}

process.on('uncaughtException', (error) => {
  tell({ type: 'failed', fault: faultOf(error) }, () => process.exit(1));
});
// The service handles Ctrl-C in the terminal and then sends the message to stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

const [order] = (await once(process, 'message')) as [StorageOrder];
const { folder, ports, credentials, rules } = order;
const release = holdFolder(folder);
const access = new Access(credentials);
access.deploy(rules);
const dynamodb = await startDynamo(join(folder, 'dynamodb'), ports.dynamodb, access);
const s3 = await startS3(join(folder, 's3'), ports.s3, access);
const stopped = new Promise<void>((resolve) => {
  process.on('message', (command: StorageCommand) => {
    if (command.type === 'stop') return resolve();
    access.deploy(command.rules);
    tell({ type: 'permitted' });
  });
});
tell({ type: 'ready', ports: { s3: s3.port, dynamodb: dynamodb.port } });
await stopped;
await Promise.all([dynamodb.close(), s3.close()]);
release();
process.exit(0);
