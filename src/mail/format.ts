// What is typed for a message: a header that names the sender and the id, and a text that cannot press a key.
import { BELL } from '../agents/index.js';
import { visibleText } from '../terminal/sanitise.js';

export interface Letter {
  id: string;
  text: string;
  senderName: string;
  senderSession: string | null;
  command: boolean;
}

// The line that names the sender and the id.
const header = ({ id, senderName, senderSession }: Letter): string => {
  const sender = senderSession ? `${senderName} (${senderSession})` : senderName;
  return `[Input from: ${visibleText(sender)} via sm send] ${idMark(id)}`;
};

// The header line also keeps a text from starting with / ! ? # or @, which agents act on.
export function payload(letter: Letter): string {
  const visible = visibleText(letter.text);
  if (letter.command) return visible;
  const text = withoutHeaders(visible);
  // Behind a final backslash Enter makes a newline, behind a final @ it picks a file.
  const closing = /[\\@]\s*$/.test(text) ? '\n[end of message]' : '';
  return `${header(letter)}\n${text}${closing}`;
}

// A header that is quoted in a text would be taken for a message of its own, by its reader and by its agent's records.
const withoutHeaders = (text: string): string =>
  text.replace(/via sm send\] #(?=[0-9a-f]{12})/g, 'via sm send] # ');

// One line that stands for the message, where its agent gets the text by another way.
export const bellLine = (letter: Letter): string => `${header(letter)} ${BELL}`;

export const idMark = (id: string): string => `#${id}`;

// By what the text is known on a screen: a command has no header, so its own last line serves.
export const screenMark = (letter: Letter): string =>
  letter.command
    ? (visibleText(letter.text).trimEnd().split('\n').at(-1) ?? '').slice(-40)
    : idMark(letter.id);
