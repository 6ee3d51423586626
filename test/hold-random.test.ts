// Random keys under forty holds arrive exactly as they do without one.
import { afterAll, expect, it } from 'vitest';
import { arrives, HoldStage, settled } from './support/hold.js';
import { seeded } from './support/random.js';

type Random = () => number;

const stage = new HoldStage();
afterAll(() => stage.dispose());

const HOLDS = 40;
const SINGLE = [...'abcdefghijklmnopqrstuvwxyz ABC0189-;#$~{}"\'\\%éß中文ñ🙂'];
const SPECIAL = [
  '\x1b[A',
  '\x1b[B',
  '\x1b[C',
  '\x1b[D',
  '\x1b[H',
  '\x1b[F',
  '\x1b[3~',
  '\x1b[5~',
  '\x1bOP',
  '\x1b[15~',
  '\x1b[24~',
  '\x1b[1;5C',
  '\x7f',
  '\t',
  '\x01',
  '\x03',
  '\x05',
  '\x0b',
  '\x15',
  '\x1bb',
  '\r',
];

function keys(random: Random): string {
  const roll = random();
  if (roll < 0.7) return pick(SINGLE, random);
  if (roll < 0.97) return pick(SPECIAL, random);
  const length = 1 + Math.floor(random() * 40);
  const text = Array.from({ length }, () => (random() < 0.05 ? '\r' : pick(SINGLE, random))).join('');
  return `\x1b[200~${text}\x1b[201~`;
}

const pick = (list: readonly string[], random: Random): string =>
  list[Math.floor(random() * list.length)] as string;

it('the same bytes with and without', { timeout: 180_000 }, async () => {
  const random = seeded(20_26);
  const plain = await stage.recorder('plain', '--bracketed');
  const held = await stage.recorder('held', '--bracketed');
  // Without a hold tmux takes keys that come at the same moment for a paste, and newer ones pass that on unencoded.
  for (const { pane } of [plain, held])
    stage.tmux.run('set-option', '-t', pane.link.sessionId, 'assume-paste-time', '0');
  const clean = stage.traces();
  const free = await stage.person(plain.pane.link.sessionId);
  const person = await stage.person(held.pane.link.sessionId);
  const press = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const bytes = keys(random);
      sent += bytes.length;
      free.send(bytes);
      person.send(bytes);
      await settled(2 + random() * 6);
    }
  };
  let sent = 0;
  let waited = 0;
  for (let i = 0; i < HOLDS; i++) {
    await press(4);
    await settled(20);
    const hold = await stage.hold(held.pane, { pace: { stepMs: 1, enterMs: 5 } });
    // What was under way when the hold began may still arrive.
    await settled(30);
    const before = held.bytes().length;
    await press(14);
    await settled(20);
    expect(held.bytes().length).toBe(before);
    const releasing = hold.release();
    await press(6);
    waited += (await releasing).keys;
  }
  expect(sent).toBeGreaterThan(1000);
  expect(waited).toBeGreaterThan(200);
  await settled(300);
  await arrives(held, plain.bytes());
  expect(stage.traces()).toBe(clean);
});
