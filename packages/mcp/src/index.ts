/** The service as tools of the Model Context Protocol (I-57): docs/mcp.md. */

export { createMcpServer, type McpOptions } from './server.ts';
export { serveStdio } from './stdio.ts';
