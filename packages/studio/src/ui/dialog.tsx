import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../text.ts';
import { Button } from './button.tsx';

/** A dialog of the browser: it keeps the focus, closes with Escape and returns the focus. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // At once: what is typed next is meant for the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The browser would return the focus itself if the dialog still existed then.
      if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.isConnected && opener.focus());
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <Button kind="quiet" icon="close" label={text.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Asks before an action that cannot be undone. */
export function Confirm({
  title,
  question,
  action,
  onDo,
  onClose,
}: {
  title: string;
  question: string;
  action: string;
  onDo: () => unknown;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{question}</p>
      <footer class="dialog-foot">
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button kind="danger" onClick={onDo}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
