// The file that goes between an agent and its editor: what must stand in it so that a text comes out, and what it hides.
import type { EditorProfile } from './box-profile.js';
import type { Otherwise } from './handover.js';

// The file whose content becomes `text`, as far as the agent allows.
export const fileFor = (profile: EditorProfile, text: string): string =>
  profile.trims === 'newline' ? `${text}\n` : text.slice(0, text.length - cutFrom(profile, text).length);

// What the agent cuts from the end of the file.
export function cutFrom({ trims }: EditorProfile, text: string): string {
  if (trims === 'nothing' || trims === 'newline') return '';
  const kept = trims === 'newlines' ? text.replace(/\n+$/, '') : text.trimEnd();
  return text.slice(kept.length);
}

// A placeholder put back as text would be the end of the paste that it stands for.
export const otherwiseFor = ({ placeholder }: EditorProfile): Otherwise => (placeholder ? 'keep' : 'unmark');

export const hasPlaceholder = (profile: EditorProfile, text: string): boolean =>
  profile.placeholder !== undefined && placeholders(profile).test(text);

// A folded paste is one step for the caret.
export const folded = (profile: EditorProfile, text: string): string =>
  text.replace(placeholders(profile), '\ufffc');

const placeholders = ({ placeholder = '(?!)' }: EditorProfile): RegExp => new RegExp(placeholder, 'gu');
