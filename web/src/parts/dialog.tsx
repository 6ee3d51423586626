// A window over the page: takes the focus, gives it back, and closes with Escape.
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Icon } from './icon.js';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
}

export function Dialog({ title, onClose, children, isWide = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed while it still stands in the page: only then does the browser give the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) {
      dialog.showModal();
      const fields = 'input:not([type="radio"], [type="checkbox"]), textarea';
      (
        dialog.querySelector<HTMLElement>('[data-first]') ?? dialog.querySelector<HTMLElement>(fields)
      )?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" className="quiet icon" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
