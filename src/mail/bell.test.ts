import { expect, test } from 'vitest';
import { BELL, type BellRules } from '../agents/index.js';
import type { MessageRow } from '../store/index.js';
import { choose } from './bell.js';
import { DEFAULT_CONFIG } from './config.js';
import type { Delivery } from './delivery.js';

const RULES: BellRules = { since: '2.1.150', typed: { lines: 1, characters: 200 }, most: 10_000 };
const LONG = 'first\nsecond';
const HEADER = '[Input from: user via sm send] #0123456789ab';

interface Case {
  text?: string;
  row?: Partial<MessageRow>;
  version?: string | null;
  door?: 'without a bell' | 'deaf' | 'none';
  rules?: BellRules | undefined;
  events?: string[];
}

async function chosen({ text = LONG, row, version = '2.1.325', door, events = [], ...more }: Case) {
  const put: string[] = [];
  const bell = {
    put: (letter: { text: string }) => {
      if (door === 'deaf') return false;
      put.push(letter.text);
      return true;
    },
  };
  const message = {
    id: '0123456789ab',
    text,
    sender_name: 'user',
    sender_session: null,
    speaks: null,
    command: 0,
    ...row,
  };
  const delivery = {
    session: { profile: { bell: 'rules' in more ? more.rules : RULES } },
    deps: {
      doors: { of: () => (door === 'none' ? undefined : door === 'without a bell' ? {} : { bell }) },
      ledger: {
        messages: {
          events: () => events.map((kind) => ({ kind })),
          pending: () => [message],
          accepted: () => [],
        },
      },
      config: DEFAULT_CONFIG,
      clock: Date.now,
    },
    ways: async () => ({ version }),
  };
  // Only what is asked for a way in.
  const typed = await choose(delivery as unknown as Delivery, message as unknown as MessageRow);
  return { typed, put };
}

test.each<[string, Case]>([
  ['several lines', {}],
  ['a long line', { text: 'x'.repeat(201) }],
  ["an agent's mail that is to be a prompt", { row: { sender_session: 's', speaks: 'prompt' } }],
  ['an attempt that came to nothing', { events: ['attempt', 'refused'] }],
])('rung for: %s', async (_, one) => {
  const { typed, put } = await chosen(one);
  expect(typed).toMatchObject({ form: 'bell', mark: '#0123456789ab' });
  expect(typed.payload.endsWith(` #0123456789ab ${BELL}`)).toBe(true);
  // As it would have been typed.
  expect(put).toEqual([expect.stringContaining(`#0123456789ab\n${one.text ?? LONG}`)]);
});

test.each<[string, Case]>([
  ['a short line', { text: 'x'.repeat(200) }],
  ['more than its hooks bring', { text: 'x'.repeat(10_000) }],
  ['a notice', { row: { sender_session: 's' } }],
  ['a command', { row: { command: 1 } }],
  ['its bell came without its text', { events: ['attempt', 'accepted', 'returned'] }],
  ['an older version', { version: '2.1.112' }],
  ['a version that is not known', { version: null }],
  ['an agent without the rules', { rules: undefined }],
  ['no door', { door: 'none' }],
  ['a door that has none', { door: 'without a bell' }],
  ['hooks that are not heard', { door: 'deaf' }],
])('typed whole: %s', async (_, one) => {
  const { typed, put } = await chosen(one);
  expect(typed.form).toBe('whole');
  if (!one.row) expect(typed.payload).toBe(`${HEADER}\n${one.text ?? LONG}`);
  expect(put).toEqual([]);
});
