import { stat } from 'node:fs/promises';
import { type PlatenDocument, PlatenError } from '@platen/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Workspace } from './files.ts';

/** The results of tools. */

/** Maximum characters of a text result. */
const MAX_TEXT = 100_000;

export function text(value: string): CallToolResult {
  return {
    content: [{ type: 'text', text: value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}\n…` : value }],
  };
}

export function json(value: unknown): CallToolResult {
  return text(JSON.stringify(value, null, 2));
}

/** Saves a document and returns a link to it. The bytes themselves would be of no use in a conversation. */
export async function saved(
  document: PlatenDocument,
  workspace: Workspace,
  output: string | undefined,
): Promise<CallToolResult> {
  const file = await workspace.save(document, output);
  const { size } = await stat(file);
  const warnings = document.warnings.map((warning) => `\nWarning: ${warning}`).join('');
  return {
    content: [
      { type: 'text', text: `Saved ${file} (${size} bytes, ${document.type}).${warnings}` },
      {
        type: 'resource_link',
        uri: workspace.addressOf(file),
        name: document.name,
        mimeType: document.type,
        size,
      },
    ],
  };
}

/**
 * Runs a tool. An error becomes a result with its code and the affected fields, so that the agent can correct
 * the call.
 */
export async function withErrorResult(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    return {
      ...text(error instanceof PlatenError ? refusal(error) : (error as Error).message),
      isError: true,
    };
  }
}

function refusal({ status, code, message, errors, requestId }: PlatenError): string {
  const faults = errors.map((fault) => `\n- ${JSON.stringify(fault)}`).join('');
  const id = status >= 500 && requestId !== null ? `\nrequest id: ${requestId}` : '';
  return `${code} (${status}): ${message}${faults}${id}`;
}
