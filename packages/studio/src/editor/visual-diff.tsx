import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../api/problem.ts';
import { renderStored } from '../api/render.ts';
import { text } from '../text.ts';
import { FaultBox, Loading } from '../ui/empty.tsx';
import { Segments } from '../ui/segments.tsx';
import type { EditorModel } from './model.ts';
import { differenceOf } from './page-diff.ts';

/** Width of a page in CSS pixels. */
const WIDTH = 720;
/** Most pages that are compared, because each is drawn twice. */
const MOST = 40;

type View = keyof typeof text.versions.views;

/** A page before and now, as pictures of one size; null if it does not exist. */
interface ComparedPage {
  before: HTMLCanvasElement | null;
  now: HTMLCanvasElement | null;
  both: HTMLCanvasElement;
  isChanged: boolean;
}

/** Shows the pages of a version and those of the editor, with their differences. */
export function VisualDiff({ model, version }: { model: EditorModel; version: number }) {
  const [pages, setPages] = useState<readonly ComparedPage[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [view, setView] = useState<View>('both');
  useEffect(() => {
    let unmounted = false;
    compared(model, version).then(
      (made) => !unmounted && setPages(made),
      (error: unknown) => !unmounted && setFault(messageOf(error)),
    );
    return () => {
      unmounted = true;
    };
  }, [version]);
  if (fault !== null) return <FaultBox message={fault} />;
  if (pages === null) return <Loading label={text.preview.rendering} />;
  const changed = pages.filter(({ isChanged }) => isChanged).length;
  return (
    <div class="visual-diff">
      <div class="row">
        <Segments
          label={text.versions.view}
          choices={(['both', 'before', 'now'] as const).map((name) => ({
            name,
            label: text.versions.views[name],
          }))}
          chosen={view}
          onChoose={setView}
        />
        <span role="status">
          {changed === 0 ? text.versions.samePages : text.versions.changedPages(changed, pages.length)}
        </span>
        <span class="space" />
        {view === 'both' && changed > 0 && <span class="hint">{text.versions.legend}</span>}
      </div>
      <div class="diff-pages" tabIndex={0} role="region" aria-label={text.versions.comparePages}>
        {pages.map((page, index) => (
          <figure key={index} class={page.isChanged ? 'diff-page changed' : 'diff-page'}>
            <figcaption>{text.versions.pageLabel(index + 1)}</figcaption>
            {page[view] === null ? (
              <p class="hint">{text.versions.noPage(index + 1)}</p>
            ) : (
              <Shown canvas={page[view]} />
            )}
          </figure>
        ))}
      </div>
    </div>
  );
}

/** Shows a canvas that was drawn elsewhere. */
function Shown({ canvas }: { canvas: HTMLCanvasElement }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => host.current?.replaceChildren(canvas), [canvas]);
  return <div ref={host} />;
}

async function compared(model: EditorModel, version: number): Promise<ComparedPage[]> {
  const { openPdf } = await import('../preview/pdf-view.ts');
  const stored = renderStored(model.id, model.data.peek(), { version: String(version) });
  const [before, now] = await Promise.all([stored, model.renderNow()]);
  const documents = await Promise.all(
    [before, now].map(async ({ blob }) => openPdf(await blob.arrayBuffer())),
  );
  try {
    const [was, is] = documents;
    if (was === undefined || is === undefined) return [];
    const count = Math.min(MOST, Math.max(was.numPages, is.numPages));
    const pages: ComparedPage[] = [];
    for (let number = 1; number <= count; number++) pages.push(await comparedPage(was, is, number));
    return pages;
  } finally {
    await Promise.all(documents.map(({ loadingTask }) => loadingTask.destroy()));
  }
}

async function comparedPage(
  was: PDFDocumentProxy,
  is: PDFDocumentProxy,
  number: number,
): Promise<ComparedPage> {
  const [before, now] = await Promise.all([was, is].map((document) => drawn(document, number)));
  const width = Math.max(before?.width ?? 0, now?.width ?? 0);
  const height = Math.max(before?.height ?? 0, now?.height ?? 0);
  const { pixels, changed } = differenceOf(onWhite(before, width, height), onWhite(now, width, height));
  const both = canvasOf(width, height);
  both.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return { before: before ?? null, now: now ?? null, both, isChanged: changed > 0 };
}

async function drawn(document: PDFDocumentProxy, number: number): Promise<HTMLCanvasElement | null> {
  if (number > document.numPages) return null;
  const { drawPage } = await import('../preview/pdf-view.ts');
  const canvas = canvasOf(0, 0);
  await drawPage(await document.getPage(number), canvas, WIDTH);
  return canvas;
}

/** Returns the pixels of a picture on a white sheet of that size. */
function onWhite(
  canvas: HTMLCanvasElement | null | undefined,
  width: number,
  height: number,
): Uint8ClampedArray {
  const context = canvasOf(width, height).getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  if (canvas != null) context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}
