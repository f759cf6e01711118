import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import type { Document } from '../api/render.ts';
import { text } from '../text.ts';

/** The pages of what was made. */
export function Result({ document: made }: { document: Document }) {
  const box = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let close: (() => Promise<void>) | undefined;
    let gone = false;
    const show = async (): Promise<void> => {
      const { PdfView } = await import('../preview/pdf-view.ts');
      if (gone) return;
      const view = new PdfView(element, { shown: () => undefined, pageInSight: () => undefined });
      close = () => view.close();
      await view.show(await made.blob.arrayBuffer());
    };
    // An encrypted file is not opened here: it is there to be downloaded.
    show().catch((error: unknown) => !gone && setFault(messageOf(error)));
    return () => {
      gone = true;
      void close?.();
    };
  }, [made]);
  if (fault !== null) return <p class="hint">{text.pdf.notShown}</p>;
  return <div ref={box} class="pdf-box result" tabIndex={0} role="document" aria-label={text.pdf.pages} />;
}
