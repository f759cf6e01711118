import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import type { PdfViewEvents, ShownPage } from '../preview/pdf-view.ts';

/**
 * Shows a PDF in an element, and replaces it when `file` changes.
 *
 * @returns the visible pages, and the error if it cannot be opened
 */
export function usePdf(
  box: RefObject<HTMLElement | null>,
  file: Blob,
  pageInSight: PdfViewEvents['pageInSight'] = () => undefined,
): { pages: readonly ShownPage[]; fault: string | null } {
  const [pages, setPages] = useState<readonly ShownPage[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let close: (() => Promise<void>) | undefined;
    let unmounted = false;
    const show = async (): Promise<void> => {
      const { PdfView } = await import('../preview/pdf-view.ts');
      if (unmounted) return;
      const view = new PdfView(element, { shown: () => setPages(view.pages()), pageInSight });
      close = () => view.close();
      await view.show(await file.arrayBuffer());
    };
    setFault(null);
    show().catch((error: unknown) => !unmounted && setFault(messageOf(error)));
    return () => {
      unmounted = true;
      setPages([]);
      void close?.();
    };
  }, [file]);
  return { pages, fault };
}
