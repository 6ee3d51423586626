// Which key does what to the buffer of an input box.
const EDIT = {
  newline: (b) => b.insert('\n'),
  backspace: (b) => b.backspace(),
  delete: (b) => b.delete(),
  left: (b) => b.left(),
  right: (b) => b.right(),
  home: (b) => b.home(),
  end: (b) => b.end(),
  'C-a': (b) => b.home(),
  'C-b': (b) => b.left(),
  'C-d': (b) => b.delete(),
  'C-e': (b) => b.end(),
  'C-f': (b) => b.right(),
  'C-k': (b) => b.killToEnd(),
  'C-u': (b) => b.killToStart(),
  'C-w': (b) => b.killWord(),
};

// A box that knows no control keys takes them for their letters and has no Home or End.
const LETTERS = new Set(['newline', 'backspace', 'delete', 'left', 'right']);

export function editKey(buffer, name, { letters = false } = {}) {
  const letter = letters && /^C-([a-z])$/.exec(name)?.[1];
  if (letter) buffer.insert(letter);
  else if (!letters || LETTERS.has(name)) EDIT[name]?.(buffer);
}
