// Keys that a phone's keyboard lacks.
const KEYS: readonly { label: string; name: string; text: string }[] = [
  { label: 'Esc', name: 'Escape', text: '\x1b' },
  { label: 'Tab', name: 'Tab', text: '\t' },
  { label: '⇧Tab', name: 'Shift Tab', text: '\x1b[Z' },
  { label: '↑', name: 'Up', text: '\x1b[A' },
  { label: '↓', name: 'Down', text: '\x1b[B' },
  { label: '←', name: 'Left', text: '\x1b[D' },
  { label: '→', name: 'Right', text: '\x1b[C' },
  { label: '^C', name: 'Control C', text: '\x03' },
  { label: '⏎', name: 'Enter', text: '\r' },
];

export const ThumbKeys = ({ onKey }: { onKey: (text: string) => void }) => (
  <div className="thumb-keys" role="toolbar" aria-label="Keys for the terminal">
    {KEYS.map(({ label, name, text }) => (
      <button
        key={name}
        type="button"
        aria-label={name}
        // The terminal keeps the focus, and the keyboard of the phone stays open.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onKey(text)}
      >
        {label}
      </button>
    ))}
  </div>
);
