// What was proved, computed from what the agents themselves wrote down.
import type { FeedMessage } from '../../api/types.js';
import type { AgentNote } from './agent.js';
import type { Played } from './scene.js';
import { GREETING, NEWS, REQUEST, SENTENCE, THANKS } from './script.js';

export interface Check {
  claim: string;
  // What was found instead; undefined when the claim holds.
  failed: string | undefined;
}

export function prove(played: Played, atBob: readonly AgentNote[], atAda: readonly AgentNote[]): Check[] {
  const { ada, bob } = played;
  const greeting = mail(played.greeting, 'user', GREETING);
  const news = mail(played.news, `ada (${ada.id})`, NEWS);
  const request = mail(played.request, 'user', REQUEST);
  const thanks = mail(played.thanks, `bob (${bob.id})`, THANKS);
  const bobGot = submissions(atBob);
  const adaGot = submissions(atAda);
  const drafts = atBob.filter(({ kind }) => kind === 'box').map(({ text }) => text);
  const strange = drafts.filter((text) => !SENTENCE.startsWith(text) && text !== greeting && text !== news);
  return [
    once(
      bobGot,
      news,
      `ada's message reached bob once, byte for byte, with its header (${bytes(news)} bytes)`,
    ),
    once(
      bobGot,
      SENTENCE,
      `the person's prompt reached bob as typed, alone, in one piece (${SENTENCE.length} keys)`,
    ),
    {
      claim: `their draft was never touched: ${drafts.length} states of the box, none of them mixed`,
      failed: strange.length ? `bob's box held ${JSON.stringify(strange[0])}` : undefined,
    },
    once(
      adaGot,
      thanks,
      `bob's answer reached ada once, byte for byte, with its header (${bytes(thanks)} bytes)`,
    ),
    exactly(
      [bobGot, adaGot],
      [
        [greeting, SENTENCE, news],
        [request, thanks],
      ],
      'nothing else was submitted, and all of it in order',
    ),
  ];
}

const submissions = (notes: readonly AgentNote[]): string[] =>
  notes.filter(({ kind }) => kind === 'submit').map(({ text }) => text);

const mail = ({ id }: FeedMessage, sender: string, text: string): string =>
  `[Input from: ${sender} via sm send] #${id}\n${text}`;

const bytes = (text: string): number => Buffer.byteLength(text);

function once(got: readonly string[], text: string, claim: string): Check {
  const times = got.filter((each) => each === text).length;
  const failed = times === 1 ? undefined : `${times} times; submitted was ${JSON.stringify(got)}`;
  return { claim, failed };
}

function exactly(got: unknown, expected: unknown, claim: string): Check {
  const [seen, wanted] = [JSON.stringify(got), JSON.stringify(expected)];
  return { claim, failed: seen === wanted ? undefined : `submitted was ${seen}` };
}
