// One conversation of OpenCode as far as our mail goes: which messages stand in it, and which of them the model was given.
import { idsIn } from '../mark.js';
import { ourIdIn } from './ids.js';
import { type Info, isWhole, type Message, textOf } from './wire.js';

// Where a message of ours stands. `turn`: the prompt whose answer it was first given for.
export type Standing = { kind: 'taken'; turn: string } | { kind: 'waiting' } | { kind: 'absent' };

export interface Taken {
  id: string;
  turn: string;
}

interface User {
  message: string;
  created: number;
  // Of our messages: by its name, or by their header in a text that came through the input box.
  ids: Set<string>;
  turn: string | undefined;
}

// More than wait at any time.
const KEPT = 200;

export class History {
  #users: User[] = [];
  #newest: Info | undefined;

  // Ids that the model was given by now, of those that had not been told before.
  load(messages: readonly Message[]): Taken[] {
    for (const message of messages) {
      if (message.info.role !== 'user') continue;
      this.user(message.info);
      this.text(message.info.id, textOf(message));
    }
    // Of a long turn only the newest answers may be loaded; the name of its prompt tells whether that is ours.
    for (const prompt of promptsOf(messages))
      if (!this.#users.some(({ message }) => message === prompt)) this.#keep(userOf(prompt, 0));
    return messages.flatMap(({ info }) => (info.role === 'assistant' ? this.answered(info) : []));
  }

  user(info: Info): void {
    const { id, time } = info;
    if (!this.#newest || time.created >= this.#newest.time.created) this.#newest = info;
    const known = this.#users.find(({ message }) => message === id);
    // A message that is posted again moves to the end.
    if (known) known.created = time.created;
    this.#keep(known ?? userOf(id, time.created));
  }

  // Nobody will be given it any more.
  removed(message: string): void {
    this.#users = this.#users.filter((user) => user.message !== message);
  }

  text(message: string, text: string): void {
    const ids = idsIn(text);
    if (ids.length === 0) return;
    const user = this.#users.find((each) => each.message === message);
    if (user) for (const id of ids) user.ids.add(id);
  }

  // An answer belongs to the newest prompt that the model was given, and with it it was given all before it.
  answered({ parentID }: Pick<Info, 'parentID'>): Taken[] {
    if (parentID === undefined) return [];
    const last = this.#users.findIndex(({ message }) => message === parentID);
    const taken = this.#users.slice(0, last + 1).filter(({ turn }) => turn === undefined);
    for (const user of taken) user.turn = parentID;
    return taken.flatMap(({ ids }) => [...ids].map((id) => ({ id, turn: parentID })));
  }

  // The agent and the model that the conversation goes on with, as a person has chosen them.
  get answeredBy(): Record<string, unknown> {
    const { agent, model } = this.#newest ?? {};
    if (!model) return agent === undefined ? {} : { agent };
    const { variant, ...rest } = model;
    return { ...(agent && { agent }), model: rest, ...(variant && { variant }) };
  }

  standing(id: string): Standing {
    const user = this.#users.findLast(({ ids }) => ids.has(id));
    if (!user) return { kind: 'absent' };
    return user.turn === undefined ? { kind: 'waiting' } : { kind: 'taken', turn: user.turn };
  }

  #keep(user: User): void {
    const others = this.#users.filter((each) => each !== user);
    this.#users = [...others, user].sort((a, b) => a.created - b.created).slice(-KEPT);
  }
}

function userOf(message: string, created: number): User {
  const ours = ourIdIn(message);
  return { message, created, ids: new Set(ours ? [ours] : []), turn: undefined };
}

// Those that the answers among them belong to.
export const promptsOf = (messages: readonly Message[]): Set<string> =>
  new Set(messages.flatMap(({ info }) => info.parentID ?? []));

// Its last one so far.
export const answerTo = (prompt: string, messages: readonly Message[]): Message | undefined =>
  messages.findLast(({ info }) => info.parentID === prompt);

// While a turn runs: which of these prompts it still answers. An earlier one of which it goes on is one of them.
export function runningOf(prompts: Iterable<string>, messages: readonly Message[]): Set<string> {
  return new Set(
    [...prompts].filter((prompt) => {
      const answer = answerTo(prompt, messages);
      return answer !== undefined && !isWhole(answer.info);
    }),
  );
}

export function standingIn(messages: readonly Message[], id: string): Standing {
  const history = new History();
  history.load(messages);
  return history.standing(id);
}
