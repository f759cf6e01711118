/** Markdown and charts in templates. */
export { HTML_CHART, HTML_MARKDOWN, htmlOfMarkdown, OFFICE_CHART, richText } from './filters.ts';
