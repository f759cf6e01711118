import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type EditorState, NodeSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { blocks as text } from '../text/blocks.ts';
import { Icon } from '../ui/icon.tsx';
import { unitOf } from './commands.ts';

/** The handle beside the block with the cursor, by which it is dragged. */
export function Handle({ view, state }: { view: EditorView; state: EditorState }) {
  const element = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState<{ top: number; left: number } | null>(null);
  const unit = unitOf(state);
  useLayoutEffect(() => {
    const shown = unit === null ? null : view.nodeDOM(unit.at);
    const paper = view.dom.closest('.blocks-paper');
    if (!(shown instanceof HTMLElement) || paper === null) return setTop(null);
    const place = shown.getBoundingClientRect();
    // The marks of a list are beside its items.
    const { left } = (shown.closest('.b-list') ?? shown).getBoundingClientRect();
    const origin = paper.getBoundingClientRect();
    setTop({
      top: place.top - origin.top + paper.scrollTop,
      left: left - origin.left + paper.scrollLeft - 24,
    });
  }, [view, state]);
  useLayoutEffect(() => {
    // A style attribute is against the policy of the site; its properties are not.
    if (element.current === null || top === null) return;
    element.current.style.top = `${top.top}px`;
    element.current.style.left = `${Math.max(0, top.left)}px`;
  }, [top]);
  if (unit === null || top === null) return null;
  return (
    <div
      ref={element}
      class="b-handle"
      draggable
      title={text.drag}
      aria-hidden="true"
      onDragStart={(event) => {
        const selection = NodeSelection.create(view.state.doc, unit.at);
        const { dataTransfer } = event;
        if (dataTransfer === null) return;
        dataTransfer.effectAllowed = 'move';
        // Firefox does not drag without data.
        dataTransfer.setData('text/plain', unit.node.textContent);
        const shown = view.nodeDOM(unit.at);
        if (shown instanceof HTMLElement) dataTransfer.setDragImage(shown, 0, 0);
        // The block is not selected: the browser ends what is dragged when its surroundings change.
        const dragging = { slice: selection.content(), move: true, node: selection };
        view.dragging = dragging;
      }}
      onDragEnd={() => (view.dragging = null)}
    >
      <Icon name="grip" />
    </div>
  );
}
