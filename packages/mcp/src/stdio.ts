import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.ts';

/**
 * Serves the tools over standard input and output until the input ends.
 *
 * @throws as `createMcpServer`
 */
export async function serveStdio(options: McpOptions): Promise<void> {
  const server = await createMcpServer(options);
  const ended = new Promise<void>((resolve) => {
    // The SDK has no event for this, only a property.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    server.server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await ended;
}
