// What sm itself says to whoever asked for it: pure texts, those of the first design where it has one.
import type { MessageRow } from '../store/index.js';

// Of a message, for those who hear of it.
type About = Pick<MessageRow, 'id' | 'recipient' | 'recipient_name' | 'text'>;

const ORIGINAL_CHARACTERS = 100;
const ANSWER_LINES = 5;
const ANSWER_CHARACTERS = 500;

export const deliveryNotice = (about: About): string =>
  `[sm] Message delivered to ${nameOf(about)}\n${original(about)}`;

// `after`: the time that the sender gave.
export const followUpNotice = (about: About, after: number): string =>
  `[sm] Reminder: ${inShort(after)} since your message to ${about.recipient_name} was delivered\n${original(about)}\n` +
  `You can check status with: sm output ${about.recipient}`;

export const expiryNotice = (about: About): string =>
  `[sm] Message to ${nameOf(about)} expired: its time was over before it could be delivered\n${original(about)}`;

export const deadNotice = (about: About, reason: string): string =>
  `[sm] Message to ${nameOf(about)} was given up: ${reason}\n${original(about)}\n` +
  `It is kept; to have it delivered again: sm redeliver ${about.id}`;

// The turn that took the message is over, by the agent's own word.
export const doneNotice = (
  about: About,
  how: 'completed' | 'interrupted',
  answer: string | undefined,
): string => {
  const end =
    how === 'completed'
      ? 'has finished the turn that took your message'
      : 'was interrupted in the turn that took your message';
  const said = answer?.trim() ? `\nAnswer:\n${beginning(answer.trim())}` : '';
  return `[sm] ${nameOf(about)} ${end}\n${original(about)}${said}`;
};

// As far as it can be seen from outside: its agent does not tell which turn took what.
export const stopNotice = (about: About): string =>
  `[sm] ${nameOf(about)} has stopped since your message was delivered; its agent does not tell which turn took it\n` +
  original(about);

export const endedNotice = (about: About): string =>
  `[sm] ${nameOf(about)} has ended; whether it had finished what your message asked for is not known\n${original(about)}`;

export const reminderText = (text: string): string => `[sm] Scheduled reminder:\n${text}`;

// What is added to what was said too late.
export const lateLine = (dueAt: number, now: number): string =>
  `\n(due at ${localTime(dueAt)}, ${inShort(largest(now - dueAt))} late)`;

const nameOf = ({ recipient, recipient_name }: About): string => `${recipient_name} (${recipient})`;

// On one line, whatever it holds.
const original = ({ text }: About): string => {
  const start = text.slice(0, 4 * ORIGINAL_CHARACTERS).replace(/\s+/g, ' ');
  return `Original: "${[...start.trim()].slice(0, ORIGINAL_CHARACTERS).join('')}..."`;
};

function beginning(answer: string): string {
  const lines = answer.split('\n');
  const start = [...lines.slice(0, ANSWER_LINES).join('\n')];
  const isCut = lines.length > ANSWER_LINES || start.length > ANSWER_CHARACTERS;
  return start.slice(0, ANSWER_CHARACTERS).join('') + (isCut ? ' …' : '');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

// As a person writes it for a command: 45s, 5m, 1h30m.
export function inShort(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  let rest = Math.round(ms / 1000) * 1000;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}

// Whole seconds up to an hour, whole minutes above: more is not wanted of what is late.
const largest = (ms: number): number =>
  ms < 3_600_000 ? Math.max(1000, ms) : Math.floor(ms / 60_000) * 60_000;

function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
