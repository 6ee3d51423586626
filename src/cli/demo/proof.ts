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

// Stands where the caret was while a draft is read.
const CARET_MARK = /‡/;

export function prove(played: Played, atBob: readonly AgentNote[], atAda: readonly AgentNote[]): Check[] {
  const { ada, bob } = played;
  const greeting = mail(played.greeting, 'user', GREETING);
  const news = mail(played.news, `ada (${ada.id})`, NEWS);
  const request = mail(played.request, 'user', REQUEST);
  const thanks = mail(played.thanks, `bob (${bob.id})`, THANKS);
  const bobGot = submissions(atBob);
  const adaGot = submissions(atAda);
  const boxes = atBob.filter(({ kind }) => kind === 'box').map(({ text }) => text.replace(CARET_MARK, ''));
  const isDraft = (text: string): boolean => SENTENCE.startsWith(text);
  const strange = boxes.find((text) => !isDraft(text) && text !== greeting && text !== news);
  const at = boxes.indexOf(news);
  const aside = boxes.slice(0, at).findLast(isDraft);
  const back = boxes.slice(at).find((text) => text !== '' && isDraft(text));
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
      claim: `their draft made room for the mail and came back byte for byte (${bytes(aside ?? '')} bytes)`,
      failed:
        aside && back === aside
          ? undefined
          : `it was ${JSON.stringify(aside)}, back came ${JSON.stringify(back)}`,
    },
    {
      claim: `nothing was ever mixed with it, in ${boxes.length} states of the box`,
      failed: strange === undefined ? undefined : `bob's box held ${JSON.stringify(strange)}`,
    },
    once(
      adaGot,
      thanks,
      `bob's answer reached ada once, byte for byte, with its header (${bytes(thanks)} bytes)`,
    ),
    exactly(
      [bobGot, adaGot],
      [
        [greeting, news, SENTENCE],
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
