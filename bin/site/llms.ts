import { addressOf, type Section, type Source, summaryOf, titleOf } from './sources.ts';

/** Generates the documentation for language models (llmstxt.org). */

const HEAD = `# Platen

> A document service that one runs oneself: templates in, documents out. Everything is HTTP under \`/v1\`.

Every page is also there as Markdown, at the addresses below. \`openapi.json\` describes the interface, and
\`llms-full.txt\` has all guides in one file.
`;

/** @returns llms.txt: an index of the pages */
export function llmsIndex(sections: readonly Section[], sources: readonly Source[]): string {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const lists = sections.map(({ title, links }) => {
    const lines = links.flatMap(({ file }) => {
      const source = byFile.get(file);
      return source === undefined ? [] : [line(source)];
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  const routes = sources.filter(({ file }) => file.startsWith('docs/routes/')).map(line);
  return [HEAD, ...lists, `## Routes\n\n${routes.join('\n')}\n`].join('\n');
}

function line({ file, text }: Source): string {
  return `- [${titleOf(text)}](${addressOf(file).replace(/\.html$/, '.md')}): ${summaryOf(text)}`;
}

/** @returns llms-full.txt: all guides in one file */
export function llmsFull(sources: readonly Source[]): string {
  return sources
    .filter(({ file }) => /^docs\/[^/]+\.md$|^README\.md$/.test(file))
    .map(({ file, text }) => `<!-- ${file} -->\n\n${text}`)
    .join('\n');
}
