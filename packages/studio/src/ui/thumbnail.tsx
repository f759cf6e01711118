import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** CSS pixels that a picture of a page is wide. */
const WIDTH = 240;
/** Pictures that were drawn, by what they are of; the oldest go. */
const kept = new Map<string, HTMLCanvasElement>();
const KEPT = 60;

/** One is rendered at a time: whoever edits has the service for itself. */
let queue: Promise<unknown> = Promise.resolve();

/** The first page of a document, made when it comes into sight. */
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
      // What cannot be rendered has no picture: opening it says why.
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
