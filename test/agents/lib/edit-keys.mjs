// Which key does what to the buffer of an input box.
const EDIT = {
  newline: (b) => b.insert('\n'),
  backspace: (b) => b.backspace(),
  delete: (b) => b.delete(),
  left: (b) => b.left(),
  right: (b) => b.right(),
  home: (b) => b.home(),
  end: (b) => b.end(),
  'C-d': (b) => b.delete(),
  'C-k': (b) => b.killToEnd(),
  'C-u': (b) => b.killToStart(),
  'C-w': (b) => b.killWord(),
};

export function editKey(buffer, name) {
  EDIT[name]?.(buffer);
}
