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
    failed === undefined ? [] : [claim.split(/[,:]/)[0] ?? ''],
  );

it('finds nothing wrong with what is right', () => {
  expect(failures([draft('please'), ...submitted(greeting, SENTENCE, news)])).toEqual([]);
});

it.each([
  ['a message lost', submitted(greeting, SENTENCE), "ada's message reached bob once"],
  ['a message twice', submitted(greeting, SENTENCE, news, news), "ada's message reached bob once"],
  ['a message cut', submitted(greeting, SENTENCE, news.slice(0, -1)), "ada's message reached bob once"],
  ['a draft merged', submitted(greeting, `plea${news}`), "the person's prompt reached bob as typed"],
  [
    'a draft mixed for a moment',
    [draft('plex'), ...submitted(greeting, SENTENCE, news)],
    'their draft was never touched',
  ],
  ['a wrong order', submitted(greeting, news, SENTENCE), 'nothing else was submitted'],
])('finds %s', (_what, atBob, claim) => {
  expect(failures(atBob)).toContain(claim);
});

it('finds an answer that never came', () => {
  expect(failures(submitted(greeting, SENTENCE, news), submitted(request))).toContain(
    "bob's answer reached ada once",
  );
});
