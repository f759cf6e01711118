import { readFile } from 'node:fs/promises';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Platen } from '@platen/client';
import { FILES, Workspace } from './files.ts';
import { registerTools } from './tools.ts';

export interface McpOptions {
  /** URL of the service. */
  url: string;
  token: string;
  /** Folder with the files that tools read and write. */
  folder: string;
  /** Whether callers are on another machine: results are then named by URIs of resources. */
  remote?: boolean;
}

/** A guide to the template language. It is next to the sources, both in packages and in the repository. */
const SKILL = new URL('../skills/platen/SKILL.md', import.meta.url);

/**
 * Returns a server with all tools, which is then connected to a transport.
 *
 * @throws TypeError for an invalid URL; the system's error for a missing folder
 */
export async function createMcpServer({
  url,
  token,
  folder,
  remote = false,
}: McpOptions): Promise<McpServer> {
  const guide = await readFile(SKILL, 'utf8');
  const server = new McpServer(
    { name: 'platen', version: '0.1.0' },
    {
      instructions:
        'Platen fills templates (html and office documents) with data and prints them, and transforms PDFs. Read the ' +
        'resource platen://guide before writing a template. Files are read and written below the working folder.',
    },
  );
  const workspace = await Workspace.open(folder, remote);
  registerTools(server, { platen: new Platen({ url, token }), workspace });
  server.registerResource(
    'guide',
    'platen://guide',
    {
      description: 'How templates are written: placeholders, options, office documents.',
      mimeType: 'text/markdown',
    },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: guide }] }),
  );
  server.registerResource(
    'file',
    new ResourceTemplate(`${FILES}{+path}`, { list: undefined }),
    { description: 'A file of the working folder, such as a document that a tool has saved.' },
    async ({ href }) => {
      const blob = (await workspace.bytes(decodeURIComponent(href.slice(FILES.length)))).toString('base64');
      return { contents: [{ uri: href, blob }] };
    },
  );
  return server;
}
