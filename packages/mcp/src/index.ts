/** Offers the service as tools of the Model Context Protocol (I-57): see docs/mcp.md. */

export { type HttpOptions, type HttpServing, serveHttp } from './http.ts';
export { createMcpServer, type McpOptions } from './server.ts';
export { serveStdio } from './stdio.ts';
