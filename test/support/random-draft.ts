// Random drafts as persons write them: short and wrapped lines, blank lines, blanks at the end, all kinds of characters.

export interface RandomDraft {
  text: string;
  // Where the caret stands, and the presses of Left that bring it there from the end.
  caret: number;
  back: number;
  way: 'pasted' | 'typed';
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz      ABC.,;:!?()[]{}$#`\'"\\/-_=+*&%@~^|<>0123456789éßñ'];
const WIDE = [...'中文字符日本語テスト한국어'];
const EMOJI = ['🙂', '🚀', '✅', '🧪'];
const COMBINED = ['e\u0301', 'o\u0302\u0323', 'n\u0303'];
// One character to look at, of several that some agents pass one by one: only before the caret.
const JOINED = ['👨\u200d👩\u200d👧', '🏳\ufe0f\u200d🌈', '🇩🇪', '👍🏽'];

export function randomDraft(random: () => number, kind: 'line' | 'lines'): RandomDraft {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const upTo = (n: number): number => Math.floor(random() * (n + 1));
  const character = (set: 'all' | 'simple'): string => {
    const dice = random();
    if (dice < 0.8) return pick(LETTERS);
    if (dice < 0.9) return pick(WIDE);
    if (dice < 0.94) return pick(EMOJI);
    return set === 'all' && dice < 0.97 ? pick(JOINED) : pick(COMBINED);
  };
  const line = (set: 'all' | 'simple'): string[] => {
    const dice = random();
    const length = dice < 0.15 ? 0 : dice < 0.75 ? 1 + upTo(30) : 30 + upTo(160);
    return Array.from({ length }, () => character(set));
  };
  const lines = (set: 'all' | 'simple'): string[] => {
    const rows = kind === 'line' ? [line(set)] : Array.from({ length: 1 + upTo(3) }, () => line(set));
    return rows.flatMap((row, i) => (i === 0 ? row : ['\n', ...row]));
  };
  const head = lines('all');
  // The tail is told by how often Left has to be pressed: each of its characters is one press.
  const tail = random() < 0.3 ? [] : lines('simple');
  const ending =
    random() < 0.25 ? [pick([' ', '  ', ...(kind === 'lines' ? ['\n', '\n\n', ' \n '] : [])])] : [];
  const behind = [...tail, ...[...ending.join('')]];
  const text = [...head, ...behind].join('');
  if (text.trim() === '') return { text: 'x', caret: 0, back: 1, way: 'typed' };
  const caret = head.join('').length;
  return { text, caret, back: behind.length, way: random() < 0.5 ? 'pasted' : 'typed' };
}
