import { text } from '../text.ts';
import { Icon } from './icon.tsx';

/** A link to a page of the documentation, in a new tab; nothing if the service has none. */
export function DocsLink({ page, label, look }: { page: string; label: string; look?: string }) {
  const root = document.querySelector<HTMLMetaElement>('meta[name="documentation"]')?.content ?? '';
  if (root === '') return null;
  return (
    <a
      class={look ?? 'docs-link'}
      href={new URL(page, new URL(root, document.baseURI)).href}
      target="_blank"
      rel="noopener noreferrer"
      title={text.newTab}
    >
      <Icon name="help" size={look === undefined ? 16 : 20} />
      <span>{label}</span>
    </a>
  );
}
