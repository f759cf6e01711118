import { ERROR_SECTION, ROUTE_SECTION, SECTIONS } from '../../docs/.vitepress/navigation.ts';
import { type Source, summaryOf, titleOf } from './sources.ts';

/** Generates the documentation for language models (llmstxt.org). */

const HEAD = `# Platen

> A document service that one runs oneself: templates in, documents out. Everything is HTTP under \`/v1\`.

Every page is also there as Markdown, at the addresses below. \`openapi.json\` describes the interface, and
\`llms-full.txt\` has all guides in one file.
`;

/** @returns llms.txt: an index of the pages */
export function llmsIndex(sources: readonly Source[]): string {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const lists = [...SECTIONS, ROUTE_SECTION, ERROR_SECTION].map(({ title, groups }) => {
    const files = groups.flatMap(({ pages }) => Object.keys(pages));
    const found = files.map((file) => byFile.get(file)).filter((source) => source !== undefined);
    return `## ${title}\n\n${found.map(line).join('\n')}\n`;
  });
  return [HEAD, ...lists].join('\n');
}

function line({ address, text }: Source): string {
  return `- [${titleOf(text)}](${address.replace(/\.html$/, '.md')}): ${summaryOf(text)}`;
}

/** @returns llms-full.txt: all guides in one file */
export function llmsFull(sources: readonly Source[]): string {
  return sources
    .filter(({ file }) => /^docs\/[^/]+\.md$|^README\.md$/.test(file))
    .map(({ file, text }) => `<!-- ${file} -->\n\n${text}`)
    .join('\n');
}
