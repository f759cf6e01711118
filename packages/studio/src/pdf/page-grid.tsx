import type { PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { text } from '../text.ts';
import { Button } from '../ui/button.tsx';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { useReorder } from '../ui/reorder.ts';
import { type ArrangedPage, withMoved } from './page-order.ts';

/** Width of a page in CSS pixels. */
const WIDTH = 132;

interface PageGridProps {
  files: readonly File[];
  pages: readonly ArrangedPage[];
  onPages: (pages: readonly ArrangedPage[]) => void;
}

/**
 * Shows the pages of all files in the order of the result; they can be moved, turned and removed, also with the arrow
 * keys.
 */
export function PageGrid({ files, pages, onPages }: PageGridProps) {
  const { opened, fault } = useSheets(files, (count) =>
    onPages(Array.from({ length: count }, (_, index) => ({ number: index + 1, turn: 0 }))),
  );
  const list = useRef<HTMLOListElement>(null);

  const move = (from: number, to: number): void => {
    if (to < 0 || to >= pages.length) return;
    onPages(withMoved(pages, from, to));
    // The focus stays on the moved page.
    requestAnimationFrame(() => list.current?.children[to]?.querySelector('button')?.focus());
  };
  const dragging = useReorder(move);
  if (fault !== null) return <FaultBox message={fault} />;
  if (opened === null) return <Loading label={text.loading} />;
  return (
    <ol ref={list} class="page-grid" aria-label={text.grid.label}>
      {pages.map((page, index) => (
        <li key={`${page.number}`} class="page-tile" draggable {...dragging(index)}>
          <button
            type="button"
            class="page-picture"
            aria-label={text.grid.page(page.number, index + 1)}
            title={text.grid.keys}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
              if (step !== undefined) {
                event.preventDefault();
                move(index, index + step);
              }
            }}
          >
            <Picture page={opened[page.number - 1]} turn={page.turn} />
          </button>
          <span class="row">
            <span class="page-number">{index + 1}</span>
            <span class="space" />
            <Button
              kind="quiet"
              icon="refresh"
              label={text.grid.turn(page.number)}
              onClick={() =>
                onPages(
                  pages.map((other, at) =>
                    at === index ? { ...other, turn: (other.turn + 90) % 360 } : other,
                  ),
                )
              }
            />
            <Button
              kind="quiet"
              icon="close"
              label={text.grid.remove(page.number)}
              disabled={pages.length === 1}
              onClick={() => onPages(pages.filter((_, at) => at !== index))}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Returns the pages of all files, one file after the other. */
function useSheets(files: readonly File[], onOpened: (count: number) => void) {
  const [opened, setOpened] = useState<readonly PDFPageProxy[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let unmounted = false;
    let opening: Promise<Sheets> | undefined;
    setOpened(null);
    setFault(null);
    const open = async (): Promise<void> => {
      opening = openAll(files);
      const { sheets } = await opening;
      if (unmounted) return;
      setOpened(sheets);
      onOpened(sheets.length);
    };
    open().catch((error: unknown) => !unmounted && setFault(messageOf(error)));
    return () => {
      unmounted = true;
      // A file that could not be opened needs no closing.
      void opening?.then(({ close }) => close()).catch(() => undefined);
    };
  }, [files]);
  return { opened, fault };
}

/** Shows a page, which is drawn when it becomes visible. */
function Picture({ page, turn }: { page: PDFPageProxy | undefined; turn: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || page === undefined) return;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      // A page that cannot be drawn stays white, but can be moved.
      void import('../preview/pdf-view.ts')
        .then(({ drawPage }) => drawPage(page, element, WIDTH))
        .catch((error: unknown) => console.warn('A page could not be drawn.', error));
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [page]);
  return <canvas ref={canvas} data-turn={turn} />;
}

interface Sheets {
  sheets: PDFPageProxy[];
  close: () => Promise<void>;
}

async function openAll(files: readonly File[]): Promise<Sheets> {
  const { openPdf } = await import('../preview/pdf-view.ts');
  const documents = await Promise.all(files.map(async (file) => openPdf(await file.arrayBuffer())));
  const sheets = await Promise.all(
    documents.flatMap((document) =>
      Array.from({ length: document.numPages }, (_, index) => document.getPage(index + 1)),
    ),
  );
  return {
    sheets,
    close: async () => {
      await Promise.all(documents.map(({ loadingTask }) => loadingTask.destroy()));
    },
  };
}
