// How saved drafts look in a table and in full.
import type { Draft } from '../api/types.js';
import { sayFields } from './fields.js';
import { oneLine, paint, type Style, say, visible } from './print.js';
import type { Cell, Column } from './table.js';
import { dayAndClock, duration, since } from './time.js';

const STATES: Record<Draft['state'], { style: Style; about: string }> = {
  saved: { style: 'yellow', about: 'not known to be back in its input box' },
  differs: { style: 'yellow', about: 'the input box holds something else' },
  restored: { style: 'green', about: 'back in its input box' },
  taken: { style: 'dim', about: 'taken by a person' },
};

export const DRAFT_COLUMNS: readonly Column[] = [
  { title: 'ID' },
  { title: 'AGE', right: true },
  { title: 'SESSION' },
  { title: 'STATE' },
  { title: 'FOR' },
  { title: 'TEXT', text: true },
];

export const draftRow = (draft: Draft): Cell[] => [
  draft.id,
  since(draft.created_at),
  draft.session.name,
  { text: draft.state, style: STATES[draft.state].style },
  draft.message ?? '-',
  oneLine(draft.text.slice(0, 2000)),
];

export function sayDraft(draft: Draft): void {
  const { style, about } = STATES[draft.state];
  say(`${paint('bold', draft.id)}: ${paint(style, draft.state)} (${about})`);
  sayFields([
    ['session', `${draft.session.name} (${draft.session.id})`],
    ['for', draft.message === null ? undefined : `message ${draft.message}, attempt ${draft.attempt}`],
    ['way', draft.protocol],
    ['saved', `${dayAndClock(draft.created_at)} (${since(draft.created_at)} ago)`],
    ['text', draft.exact ? 'exact' : 'as the screen showed it'],
    ['caret', draft.caret === null ? 'not known' : `behind ${draft.caret} of ${draft.text.length}`],
    ['proof', draft.proof === null ? undefined : oneLine(draft.proof)],
    ['keys', draft.held_ms === null ? undefined : `waited ${duration(draft.held_ms)}`],
  ]);
  block(draft.text);
  if (draft.found === null) return;
  say('\nwhat the input box held instead:');
  block(draft.found);
}

function block(text: string): void {
  say();
  for (const line of visible(text).split('\n')) say(`  ${paint('dim', '│')} ${line}`);
}
