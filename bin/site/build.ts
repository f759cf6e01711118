import { globSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lock } from '@platen/aws-local/lock';
import { build } from 'vitepress';
import { openApiDocument } from '../../functions/service/openapi.ts';
import { brunoCollection, postmanCollection } from './collections.ts';
import { errorSources } from './errors.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { routeSources } from './routes.ts';
import { editorSchemas } from './schemas.ts';
import { type Source, SOURCES_FOLDER, writtenSources } from './sources.ts';

/** Generates the documentation as a site of static files with VitePress. Its configuration is in docs/.vitepress. */

/**
 * Builds the site.
 *
 * @param root the repository
 * @param folder the output folder, whose content is removed
 * @param base path of the site on its host, such as `/docs/`
 * @returns the addresses of the pages
 * @throws the errors of VitePress and of the file system
 */
export async function buildSite(root: string, folder: string, base: string): Promise<string[]> {
  const release = await lock(path.join(root, 'node_modules/.cache/platen'), 'site.lock');
  try {
    const sources = [...writtenSources(root), ...routeSources(), ...errorSources()];
    writeSources(root, sources);
    await build(path.join(root, 'docs'), { base, outDir: folder });
    return sources.map(({ address }) => address);
  } finally {
    await release();
  }
}

/** Writes all pages under their addresses, and beside them the files that VitePress copies. */
function writeSources(root: string, sources: readonly Source[]): void {
  const folder = path.join(root, SOURCES_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  };
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  for (const { address, text } of sources) {
    const file = address.replace(/\.html$/, '.md');
    write(file, text);
    write(`public/${file}`, text);
  }
  for (const picture of globSync('docs/**/*.{png,webp,svg}', { cwd: root })) {
    const place = path.join(folder, 'public', picture.replace(/^docs\//, ''));
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(root, picture), place);
  }
  write('public/openapi.json', json(openApiDocument()));
  write('public/platen.postman_collection.json', json(postmanCollection()));
  for (const [file, text] of brunoCollection()) write(`public/bruno/${file}`, text);
  for (const [file, schema] of editorSchemas()) write(`public/schemas/${file}`, json(schema));
  write('public/llms.txt', llmsIndex(sources));
  write('public/llms-full.txt', llmsFull(sources));
}
