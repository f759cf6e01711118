import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Width of a picture in CSS pixels. */
const WIDTH = 240;
/** The pictures that were drawn, by their subject; the oldest are removed. */
const kept = new Map<string, HTMLCanvasElement>();
const KEPT = 60;

/** Thumbnails are rendered one at a time, so that they do not delay previews of the editor. */
let queue: Promise<unknown> = Promise.resolve();

/** Shows the first page of a document, which is rendered when it becomes visible. */
export function Thumbnail({ identity, load }: { identity: string; load: () => Promise<ArrayBuffer> }) {
  const box = useRef<HTMLSpanElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let wanted = true;
    const show = (canvas: HTMLCanvasElement): void => {
      if (wanted) element.replaceChildren(copyOf(canvas));
    };
    const draw = async (): Promise<void> => {
      if (!wanted) return;
      const canvas = kept.get(identity) ?? document.createElement('canvas');
      if (!kept.has(identity)) {
        const { drawFirstPage } = await import('../preview/pdf-view.ts');
        await drawFirstPage(await load(), canvas, WIDTH);
        kept.set(identity, canvas);
        const [oldest] = kept.keys();
        if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      }
      show(canvas);
    };
    const known = kept.get(identity);
    if (known !== undefined) show(known);
    const watcher = new IntersectionObserver((entries) => {
      if (known !== undefined || !entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      // A document that cannot be rendered has no picture; opening it shows why.
      queue = queue.then(draw).catch(() => wanted && setFailed(true));
    });
    watcher.observe(element);
    return () => {
      wanted = false;
      watcher.disconnect();
    };
  }, [identity]);
  return (
    <span class="thumbnail" aria-hidden="true">
      <span ref={box} class="thumbnail-page" />
      {failed && <Icon name="template" size={32} />}
    </span>
  );
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}
