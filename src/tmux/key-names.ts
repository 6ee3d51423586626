// Which words tmux takes for a key. Any other it would type out as text.
const NAMED =
  /^(?:F(?:[1-9]|1[0-2])|IC|Insert|DC|Delete|Home|End|NPage|PageDown|PgDn|PPage|PageUp|PgUp|B?Tab|B?Space|Enter|Escape|Up|Down|Left|Right|KP(?:[0-9/*+.-]|Enter))$/i;
const CHARACTER = /^[^\p{C}\p{Z}\p{M}]$/u;
// No terminal has a code for these with Ctrl.
const WITHOUT_CONTROL = new Set('"$%&*{|}~');

export function isKeyName(word: string): boolean {
  const [, modifiers = '', key = ''] = /^((?:[CMS]-)*(?:\^(?=.))?)(.*)$/isu.exec(word) ?? [];
  if (NAMED.test(key)) return true;
  return CHARACTER.test(key) && !(/[C^]/i.test(modifiers) && WITHOUT_CONTROL.has(key));
}

export const KEY_NAMES =
  'must be a key as tmux names it: C-g, M-e, S-Tab, Enter, Escape, BSpace, Home, F2 or one character';
