// What an agent is told when it starts: about mail, and how it reports what it does. Short, and the same for all of them.
const MAIL = [
  'Messages that begin with "[Input from: NAME (ID) via sm send] #MESSAGE" are mail that Suremail brings you from another',
  'agent or from a person, also where they come as a notification. The user wants you to read them and to act on them as you',
  "would on a colleague's request, within what the user allows you.",
].join(' ');
const ANSWER = [
  'To answer the message at hand, run: sm reply "your text".',
  'To write to another, run: sm send NAME "your text"; to the user: sm send @me "your text".',
].join(' ');

// `here`: it has a shell in which sm is found. `far`: on a machine where nothing of ours is, it has only its terminal.
export type Where = 'here' | 'far';

const SIGNALS: Readonly<Record<Where, string>> = {
  here: 'run: sm signal STATE "one line about it"',
  // Inside a sentence it is no signal, neither here nor where an agent quotes it.
  far: 'print --<[sm:STATE:one line about it]>-- as a line of its own, outside of code blocks, with nothing else on it',
};

export interface BriefingOptions {
  // Whether it is told how to signal.
  signals: boolean;
  // The states that the user has beside ours.
  added?: readonly string[];
}

export function briefing(where: Where, { signals, added = [] }: BriefingOptions): string {
  const mail = where === 'here' ? [MAIL, ANSWER] : [MAIL];
  return [...mail, ...(signals ? [signalling(where, added)] : [])].join(' ');
}

function signalling(where: Where, added: readonly string[]): string {
  const others = added.length > 0 ? `; the user also has ${added.join(', ')}` : '';
  return [
    `The user follows several agents at once. When one of these becomes true, ${SIGNALS[where]}.`,
    'STATE is needs_input when you need an answer or a decision, needs_testing when something is ready for the user to try,',
    `completed when the task is done, error when you cannot go on, working when you begin a task${others}.`,
    'Once for each time; not for every step.',
  ].join(' ');
}
