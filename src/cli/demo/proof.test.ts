import { expect, it } from 'vitest';
import type { AgentNote } from './agent.js';
import { prove } from './proof.js';
import type { Played } from './scene.js';
import { GREETING, NEWS, REQUEST, SENTENCE, THANKS } from './script.js';

const played = {
  ada: { id: 'aaaaaaaa' },
  bob: { id: 'bbbbbbbb' },
  greeting: { id: '1' },
  request: { id: '2' },
  news: { id: '3' },
  thanks: { id: '4' },
} as Played;

const greeting = `[Input from: user via sm send] #1\n${GREETING}`;
const request = `[Input from: user via sm send] #2\n${REQUEST}`;
const news = `[Input from: ada (aaaaaaaa) via sm send] #3\n${NEWS}`;
const thanks = `[Input from: bob (bbbbbbbb) via sm send] #4\n${THANKS}`;

const submitted = (...texts: string[]): AgentNote[] => texts.map((text) => ({ kind: 'submit', text }));
const draft = (text: string): AgentNote => ({ kind: 'box', text });

const failures = (atBob: AgentNote[], atAda = submitted(request, thanks)): string[] =>
  prove(played, atBob, atAda).flatMap(({ claim, failed }) =>
    failed === undefined ? [] : [claim.split(/[,:(]/)[0]?.trim() ?? ''],
  );

const aside = [draft('please'), draft('please‡'), draft(news)];
const right = [...aside, ...submitted(greeting, news), draft(''), draft('please'), ...submitted(SENTENCE)];

it('finds nothing wrong with what is right', () => {
  expect(failures(right)).toEqual([]);
});

it.each([
  ['a message lost', submitted(greeting, SENTENCE), "ada's message reached bob once"],
  ['a message twice', submitted(greeting, news, news, SENTENCE), "ada's message reached bob once"],
  ['a message cut', submitted(greeting, news.slice(0, -1), SENTENCE), "ada's message reached bob once"],
  ['a draft merged', submitted(greeting, `plea${news}`), "the person's prompt reached bob as typed"],
  ['a draft mixed for a moment', [draft('plex'), ...right], 'nothing was ever mixed with it'],
  [
    'a draft not back',
    [...aside, ...submitted(greeting, news, SENTENCE)],
    'their draft made room for the mail and came back byte for byte',
  ],
  [
    'a draft back in part',
    [...aside, draft('pleas'), ...submitted(greeting, news, SENTENCE)],
    'their draft made room for the mail and came back byte for byte',
  ],
  ['a wrong order', submitted(greeting, SENTENCE, news), 'nothing else was submitted'],
])('finds %s', (_what, atBob, claim) => {
  expect(failures(atBob)).toContain(claim);
});

it('finds an answer that never came', () => {
  expect(failures(right, submitted(request))).toContain("bob's answer reached ada once");
});
