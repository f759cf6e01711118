import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Eleventy } from '@11ty/eleventy';
import { openApiDocument } from '../../functions/service/openapi.ts';
import { brunoCollection, postmanCollection } from './collections.ts';
import { pageIn } from './layout.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { type Place, renderer } from './markdown.ts';
import { routeSources } from './routes.ts';
import { editorSchemas } from './schemas.ts';
import { searchIndex } from './search.ts';
import { addressOf, type Section, sectionsOf, type Source, titleOf, writtenSources } from './sources.ts';

/**
 * Generates the documentation as a site of static files, which any server can host and which also work from a
 * disk.
 */

/**
 * Builds the site.
 *
 * @param root the repository, which has to be the working directory, because Eleventy reads from there
 * @param folder the output folder, whose content is removed
 * @returns the addresses of the pages
 * @throws the errors of Eleventy and of the file system
 */
export async function buildSite(root: string, folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  const sources = [...writtenSources(root), ...routeSources()];
  await writePages(root, folder, sources);
  writeFiles(root, folder, sources);
  return sources.map(({ address }) => address);
}

async function writePages(root: string, folder: string, sources: readonly Source[]): Promise<void> {
  const pictures = globSync('docs/**/*.{png,webp,svg}', { cwd: root });
  const addresses = new Map([
    ...sources.map(({ file, address }): [string, string] => [file, address]),
    ...pictures.map((file): [string, string] => [file, file.replace(/^docs\//, '')]),
  ]);
  // Each page is passed to Eleventy under its address, so that Eleventy detects duplicates and writes to the right
  // place.
  const byInput = new Map(sources.map((source) => [inputOf(source), source]));
  const sourceOf = (inputPath: string): Source => {
    const source = byInput.get(path.posix.normalize(inputPath));
    if (source === undefined) throw new Error(`There is no page ${inputPath}.`);
    return source;
  };
  const sections: Section[] = [
    {
      title: 'Start',
      links: [
        { title: 'Overview', file: 'README.md' },
        { title: 'All documentation', file: 'docs/README.md' },
      ],
    },
    ...sectionsOf(root),
    { title: 'Routes', links: [{ title: 'Every route, with an example', file: 'docs/routes/README.md' }] },
  ];
  const markdown = renderer<{ page: { inputPath: string } }>(({ page }): Place => {
    const { file, address } = sourceOf(page.inputPath);
    return { file, address, addresses };
  });
  const eleventy = new Eleventy(EMPTY, path.relative(root, folder), {
    quietMode: true,
    configPath: null,
    config: (config) => {
      config.setUseGitIgnore(false);
      config.setLibrary('md', markdown);
      config.addGlobalData(
        'permalink',
        () => (data: { page: { inputPath: string } }) => sourceOf(data.page.inputPath).address,
      );
      for (const source of sources)
        config.addTemplate(path.posix.relative(EMPTY, inputOf(source)), source.text);
      config.addTransform('frame', function frame(content) {
        const { address, text } = sourceOf(this.page.inputPath);
        return pageIn({ title: titleOf(text), address, content, sections, addressOf });
      });
      config.addPassthroughCopy(
        Object.fromEntries(pictures.map((file) => [file, file.replace(/^docs\//, '')])),
      );
      config.setTemplateFormats(['md']);
      // `{{ … }}` in the examples is for the service, so Eleventy must not interpret it.
      config.addGlobalData('templateEngineOverride', 'md');
    },
  });
  await eleventy.write();
}

/** An empty input folder, because all pages are passed to Eleventy directly. */
const EMPTY = 'bin/site/assets';

function inputOf({ address }: Source): string {
  return path.posix.join(EMPTY, address.replace(/\.html$/, '.md'));
}

function writeFiles(root: string, folder: string, sources: readonly Source[]): void {
  const write = (file: string, content: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  };
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  for (const { address, text } of sources) write(address.replace(/\.html$/, '.md'), text);
  write('openapi.json', json(openApiDocument()));
  write('platen.postman_collection.json', json(postmanCollection()));
  for (const [file, text] of brunoCollection()) write(`bruno/${file}`, text);
  for (const [file, schema] of editorSchemas()) write(`schemas/${file}`, json(schema));
  write('llms.txt', llmsIndex(sectionsOf(root), sources));
  write('llms-full.txt', llmsFull(sources));

  const { index, options } = searchIndex(sources);
  write('assets/index.js', `window.platenIndex = ${JSON.stringify([index.toJSON(), options])};\n`);
  for (const file of ['site.css', 'search.js'])
    copyFileSync(path.join(import.meta.dirname, 'assets', file), path.join(folder, 'assets', file));
  // The package provides its files only as modules, which a page on a disk cannot load.
  const library = path.dirname(createRequire(import.meta.url).resolve('minisearch'));
  copyFileSync(path.join(library, '../umd/index.js'), path.join(folder, 'assets/minisearch.js'));
}
