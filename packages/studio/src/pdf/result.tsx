import { useRef } from 'preact/hooks';
import type { Document } from '../api/render.ts';
import { text } from '../text.ts';
import { usePdf } from './use-pdf.ts';

/** Shows the pages of the result. */
export function Result({ document: made }: { document: Document }) {
  const box = useRef<HTMLDivElement>(null);
  const { fault } = usePdf(box, made.blob);
  // An encrypted file is not shown here, but can be downloaded.
  if (fault !== null) return <p class="hint">{text.pdf.notShown}</p>;
  return <div ref={box} class="pdf-box result" tabIndex={0} role="document" aria-label={text.pdf.pages} />;
}
