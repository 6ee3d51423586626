// A button that puts a text into the clipboard, also where the browser has none to offer.
import { useVoice } from './say.js';

export function CopyButton({ text, label, said }: { text: string; label: string; said: string }) {
  const { attempt } = useVoice();
  return (
    <button type="button" className="quiet" onClick={() => void attempt(() => copyText(text), said)}>
      {label}
    </button>
  );
}

export async function copyText(text: string): Promise<void> {
  // Only pages over https or from this machine have a clipboard.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isDone) throw new Error('this browser does not let the page copy: select the text and copy it');
}
