// Command line options of the box programs.
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const number = { type: 'string' };
const flag = { type: 'boolean' };

const BOX_OPTIONS = {
  // Milliseconds of work on each submission; what is submitted meanwhile is queued.
  busy: number,
  // Dim text in the empty box.
  placeholder: text,
  // A paste of more characters than this, or of more than three lines, is shown as a label.
  collapse: number,
  // For so long after text an Enter is a newline.
  'enter-gap': number,
  // Repaints all the time, and leaves the cursor on the status row for `tear` ms.
  redraw: number,
  tear: number,
  'no-prompt': flag,
  'no-rules': flag,
  'start-delay': number,
  // On the alternate screen.
  alt: flag,
  // Reads nothing for so long after a submit.
  'ignore-input': number,
  // An approval dialog opens so long after the start; SIGUSR1 opens one at any time.
  'dialog-after': number,

  // Empties its box only so long after a submission, with what was typed since.
  'submit-clears': number,
  // The key, or the keys in turn ("C-x e"), that open $VISUAL or $EDITOR on the draft.
  editor: text,
  // How the name of the file begins.
  'editor-file': text,
  // For so long after a submission the first of several keys is not heard.
  'editor-deaf': number,
  // Time between the key and the call.
  'editor-delay': number,
  // What is cut from the end of a changed file: newline, newlines or blanks.
  'editor-trims': text,
  // An empty file leaves the box as it was.
  'editor-ignores-empty': flag,
  // The caret goes to the end even when the file was not changed.
  'editor-moves-caret': flag,
  // A collapsed paste is handed over as its label.
  'editor-placeholder': flag,
  // The editor is opened on what was painted last; what came since is lost.
  'editor-painted': flag,
  // It takes so long to be back from the editor.
  'editor-back': number,
  // It reads the file so long after the editor has ended; what was typed in between is gone then.
  'editor-reads': number,
  // What has come by then, and for so long after, is thrown away.
  'editor-flushes': number,
  // In a dialog the key denies; without this it does nothing there.
  'editor-cancels-dialog': flag,
  // The key that puts the draft aside until after the next submit.
  stash: text,

  // What C-a and Home, C-e and End, C-k and C-u work on: row (of the screen) or line (up to a newline).
  home: text,
  end: text,
  kill: text,
  // yes or no: C-k at the end of a line takes the newline; backspace at the start of one does.
  'kill-joins': text,
  'backspace-joins': text,
  // clear: never exits; exit-empty: exits on an empty box; exit-twice: exits when pressed again within two seconds.
  'ctrl-c': text,
  // Control keys insert their letters, as in a box that knows none of them; C-c and C-j stay.
  letters: flag,
  // Tab submits as Enter does.
  'submit-tab': flag,

  // What has changed is shown so long after it, so there is at most one paint in that time.
  'paint-every': number,
  // The terminal's cursor stays hidden, in an empty row below the box, as simple ink programs leave it.
  'cursor-below': flag,
  // The most rows that the box may show.
  'box-rows': number,
  // Each typed character takes so long; what follows it waits, pastes and keys too.
  slow: number,
  // An Enter is taken so long after it came; what follows it waits.
  react: number,
  // A paste is taken at once, but what follows it waits so long.
  'paste-takes': number,
  // Logs each key, text and paste in the order in which they were read.
  'log-keys': flag,
};

const toNumber = (name, value, fallback) => {
  if (value === undefined) return fallback;
  const n = Number(value);
  if (!Number.isFinite(n) || n < 0) throw new Error(`--${name}: not a number: ${value}`);
  return n;
};

const toOneOf = (name, value, [fallback, ...others]) => {
  if (value === undefined) return fallback;
  if (value !== fallback && !others.includes(value)) throw new Error(`--${name}: unknown: ${value}`);
  return value;
};

// A later option wins, so a wrapper puts its defaults before the arguments it was given.
export function parseBoxOptions(args, extra = {}) {
  const { values } = parseArgs({ args, options: { ...BOX_OPTIONS, ...extra } });
  const num = (name, fallback) => toNumber(name, values[name], fallback);
  // The first of the choices is the default.
  const one = (name, ...choices) => toOneOf(name, values[name], choices);
  const on = (name) => values[name] ?? false;
  return {
    busy: num('busy', 0),
    placeholder: values.placeholder ?? '',
    collapse: num('collapse', undefined),
    enterGap: num('enter-gap', 0),
    redraw: num('redraw', 0),
    tear: num('tear', 3),
    prompt: values['no-prompt'] ? '' : '> ',
    rules: !values['no-rules'],
    startDelay: num('start-delay', 0),
    alt: on('alt'),
    ignoreInput: num('ignore-input', 0),
    dialogAfter: num('dialog-after', 0),
    submitClears: num('submit-clears', 0),
    editor: values.editor?.split(' ') ?? [],
    editorFile: values['editor-file'] ?? 'fake-prompt',
    editorDeaf: num('editor-deaf', 0),
    editorDelay: num('editor-delay', 0),
    editorTrims: one('editor-trims', 'newline', 'newlines', 'blanks'),
    editorIgnoresEmpty: on('editor-ignores-empty'),
    editorMovesCaret: on('editor-moves-caret'),
    editorPlaceholder: on('editor-placeholder'),
    editorPainted: on('editor-painted'),
    editorBack: num('editor-back', 0),
    editorReads: num('editor-reads', 0),
    editorFlushes: num('editor-flushes', 0),
    editorCancelsDialog: on('editor-cancels-dialog'),
    stash: values.stash,
    home: one('home', 'line', 'row'),
    end: one('end', 'line', 'row'),
    kill: one('kill', 'line', 'row'),
    killJoins: one('kill-joins', 'yes', 'no') === 'yes',
    backspaceJoins: one('backspace-joins', 'yes', 'no') === 'yes',
    ctrlC: one('ctrl-c', 'exit-twice', 'exit-empty', 'clear'),
    letters: on('letters'),
    submitTab: on('submit-tab'),
    paintEvery: num('paint-every', 0),
    cursorBelow: on('cursor-below'),
    boxRows: num('box-rows', undefined),
    slow: num('slow', 0),
    react: num('react', 0),
    pasteTakes: num('paste-takes', 0),
    logKeys: on('log-keys'),
    values,
    num,
  };
}
