import { text } from '../text.ts';

/** A link to a page of the documentation, in a new tab; nothing if the service has none. */
export function DocsLink({ page, look }: { page: string; look?: string }) {
  const root = document.querySelector<HTMLMetaElement>('meta[name="documentation"]')?.content;
  if (!root) return null;
  return (
    <a class={look} href={root + page} target="_blank" rel="noopener">
      {text.nav.help}
    </a>
  );
}
