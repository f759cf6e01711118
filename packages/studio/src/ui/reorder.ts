import { useRef } from 'preact/hooks';

/** Lets members of a list be dragged to other places. @param move moves one from a place to another */
export function useReorder(move: (from: number, to: number) => void): (index: number) => {
  onDragStart: () => void;
  onDragOver: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
} {
  const dragged = useRef<number | null>(null);
  return (index) => ({
    onDragStart: () => {
      dragged.current = index;
    },
    onDragOver: (event) => event.preventDefault(),
    onDrop: (event) => {
      // A dropped file is not a member of the list; another element handles it.
      if (dragged.current === null) return;
      event.preventDefault();
      event.stopPropagation();
      move(dragged.current, index);
      dragged.current = null;
    },
  });
}
