import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { s3Client } from '../../functions/shared/store/storage/objects.ts';
import { gatewayEvent } from './gateway.ts';

/**
 * Serves one request and kills its own process with SIGKILL right before (or after) a command goes to the storage:
 * `killed.program.ts <before|after> <command> <request as JSON> [n]`, the n-th one of that name. Prints the answer if it
 * survives.
 */

const [when, command, request = '{}', which = '1'] = process.argv.slice(2);
let count = 0;

interface Stack {
  add(
    middleware: (
      next: (args: object) => Promise<unknown>,
      context: { commandName?: string },
    ) => (args: object) => Promise<unknown>,
    options: { step: 'initialize'; name: string },
  ): void;
}

const die = (): void => void process.kill(process.pid, 'SIGKILL');
for (const client of [dynamoClient(), s3Client()]) {
  (client.middlewareStack as unknown as Stack).add(
    (next, context) => async (args) => {
      if (context.commandName === command) count += 1;
      if (context.commandName !== command || count !== Number(which)) return await next(args);
      if (when === 'before') die();
      const answer = await next(args);
      die();
      return answer;
    },
    { step: 'initialize', name: 'kill' },
  );
}

const { serve } = await import('../../functions/templates/handler.ts');
const [method, resource, id, call] = JSON.parse(request) as [string, string, string | null, object];
const reply = await serve(await gatewayEvent(method, resource, id, call), {
  getRemainingTimeInMillis: () => 30_000,
});
process.stdout.write(`${reply.status}\n`);
