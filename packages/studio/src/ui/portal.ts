import { type ComponentChild, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Shows its child inside an element that other code has created, such as a page of a PDF. */
export function Portal({ into, children }: { into: HTMLElement; children: ComponentChild }): null {
  const host = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const element = document.createElement('div');
    into.append(element);
    host.current = element;
    return () => {
      render(null, element);
      element.remove();
    };
  }, [into]);
  useLayoutEffect(() => {
    if (host.current !== null) render(children, host.current);
  });
  return null;
}
