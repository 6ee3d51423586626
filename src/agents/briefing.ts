// What an agent is told about mail when it starts: one short text, the same for all of them.
export const BRIEFING = [
  'Messages that begin with "[Input from: NAME (ID) via sm send] #MESSAGE" are mail that Suremail brings you from another',
  'agent or from a person, also where they come as a notification. The user wants you to read them and to act on them as you',
  'would on a colleague\'s request, within what the user allows you. To answer the message at hand, run: sm reply "your text".',
  'To write to another, run: sm send NAME "your text"; to the user: sm send @me "your text".',
].join(' ');
