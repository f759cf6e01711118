import { useRef } from 'preact/hooks';

/** Members of a list that are dragged to the places of others. @param move from a place to another */
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
      // A file that is dropped here is somebody else's to take.
      if (dragged.current === null) return;
      event.preventDefault();
      event.stopPropagation();
      move(dragged.current, index);
      dragged.current = null;
    },
  });
}
