// The play: a person types into bob's box while ada writes to bob, whose mail goes past the draft.
import { setTimeout as delay } from 'node:timers/promises';
import type { FeedMessage, Session } from '../../api/types.js';
import { oneLine } from '../print.js';
import { PROMPT } from './face.js';
import * as script from './script.js';
import type { Stage } from './stage.js';
import type { Teller } from './tell.js';
import { type MailEvent, screen, screenWhen, Watch } from './watch.js';

export interface Played {
  ada: Session;
  bob: Session;
  greeting: FeedMessage;
  request: FeedMessage;
  news: FeedMessage;
  thanks: FeedMessage;
}

export async function play(stage: Stage, tell: Teller, pace: script.Pace): Promise<Played> {
  const { client } = stage;
  tell.heading('A daemon and two agents of their own, apart from everything of yours');
  const { pid, url } = await stage.open();
  tell.line('daemon', `started: pid ${pid}, ${url}`);
  const watch = new Watch(client, (event) => tell.mail(event));
  const ada = await stage.agent('ada', {
    turnMs: script.ADA_TURN_MS,
    answer: { from: 'user', to: 'bob', text: script.NEWS, afterMs: script.ANSWER_AFTER_MS },
  });
  tell.line('ada', `started in tmux pane ${ada.pane}`);
  const bob = await stage.agent('bob', {
    turnMs: script.BOB_TURN_MS,
    answer: { from: 'ada', to: 'ada', text: script.THANKS, afterMs: script.ANSWER_AFTER_MS },
  });
  tell.line('bob', `started in tmux pane ${bob.pane}`);
  await watch.connected();
  for (const name of ['ada', 'bob'])
    await screenWhen(client, name, (rows) => rows.includes(PROMPT.trimEnd()));

  tell.heading('Nobody is typing: a message goes straight in');
  const greeting = await sendAsUser('bob', script.GREETING);
  await watch.receipt(greeting.id, 'submitted');
  await pause();

  tell.heading("A person types in bob's box, and meanwhile ada writes to bob");
  const person = await stage.person(bob, pace.msPerKey);
  tell.line('person', 'is at the keys in the pane of bob, and types', 'yellow');
  const request = await sendAsUser('ada', script.REQUEST);
  await typeOn(0);
  const { message: news } = await watch.mail(fromAda('queued'), 'a message from ada to bob');
  await watch.mail(fromAda('held'), 'that the message from ada waits');
  await typeOn(1);
  tell.screen('ada', await screenWhen(client, 'ada', (rows) => rows.includes(news.id)));
  tell.note('Accepted at once, and from ada, though she did not say who she is.');
  tell.screen('bob', await screen(client, 'bob'));

  tell.heading('The person stops to think: the mail goes past their draft');
  await watch.mail(fromAda('draft', 'restored'), "that the person's draft is back");
  await watch.receipt(news.id, 'submitted');
  tell.screen('bob', await screenWhen(client, 'bob', (rows) => rows.includes(`${PROMPT}${draftOf(1)}`)));
  await pause();

  tell.heading('The person goes on in the middle of the word, and presses Enter');
  await typeOn(2);
  await typeOn(3);
  await person.press('Enter');
  tell.line('person', 'pressed Enter', 'yellow');
  const own = await screenWhen(client, 'bob', (rows) => !rows.includes(`${PROMPT}${draftOf(1)}`));
  tell.screen('bob', own);
  if (own.includes('queued')) tell.note('bob is still at work: its own queue has their prompt now.');

  tell.heading('Meanwhile bob has read his mail and answered');
  const answered = await watch.mail(
    ({ message, event }) => message.from.id === bob.id && event.kind === 'submitted',
    'the answer of bob',
  );
  tell.screen('ada', await screenWhen(client, 'ada', (rows) => rows.includes(script.THANKS)));
  await delay(pace.aftermathMs);
  return { ada, bob, greeting, request, news, thanks: answered.message };

  // The next piece of the draft, until bob's screen shows it.
  async function typeOn(piece: number): Promise<void> {
    await person.type(script.DRAFT[piece] ?? '');
    const draft = draftOf(piece);
    await screenWhen(client, 'bob', (rows) => rows.includes(`${PROMPT}${draft}`));
    tell.line("bob's box", `${PROMPT}${draft}`, 'yellow');
  }

  async function sendAsUser(to: string, text: string): Promise<FeedMessage> {
    tell.line('you', `sm send ${to} "${oneLine(text)}"`, 'bold');
    const { messages } = await client.send({ to: [to], text });
    return messages[0] as FeedMessage;
  }

  function fromAda(kind: string, state?: string): (event: MailEvent) => boolean {
    return ({ message, event }) =>
      message.from.id === ada.id &&
      message.to.id === bob.id &&
      event.kind === kind &&
      (state === undefined || event.data.state === state);
  }

  function pause(): Promise<void> {
    return delay(pace.readMs);
  }
}

const draftOf = (piece: number): string => script.DRAFT.slice(0, piece + 1).join('');
