// Past a draft with one Ctrl-C and a diff: the message goes in alone, and the draft comes back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BoxProfile } from '../src/composer/box-profile.js';
import type { Draft } from '../src/composer/protocol.js';
import { endFakes } from './support/fake-pane.js';
import { isInterrupt, isPaste, MESSAGE, NO_KEYS, PROFILE, Scene } from './support/interrupt-scene.js';
import { newSeed, seeded } from './support/random.js';
import { TestTmux, until } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(() => endFakes(tmux));

const start = (args: string[] = [], size: { width?: number; height?: number } = {}): Promise<Scene> =>
  Scene.start(tmux, args, size);

describe('past a draft', () => {
  test.each([
    ['a word', 'draft'],
    ['a line', "I'm starting to type some instructio"],
    ['several lines', 'first line\nsecond, longer line\n\nfourth line'],
    ['indented lines', 'if (a) {\n    b();\n}'],
    ['a wrapped line', 'many words in one line '.repeat(9).trim()],
    ['emoji and CJK', '🙂 中文 é, and more'],
    ['words of the message', 'please run the tests of #a1b2c3'],
    ['the beginning of the message', '[Input from: ada'],
    ['a line like the prompt', '> quoted\n> again'],
  ])('%s: the message goes in alone, the draft comes back', async (_name, draft) => {
    const scene = await start();
    await scene.type(draft);
    const protocol = scene.protocol();
    const loaded = await protocol.load();
    expect(loaded).toMatchObject({ kind: 'loaded', evidence: 'id' });
    if (loaded.kind !== 'loaded') return;
    expect((await scene.agent.draft()).text).toBe(MESSAGE);
    expect(loaded.draft?.text).toBe(draft);
    expect(scene.saved.at(-1)).toEqual(loaded.draft);
    await scene.submit(protocol);
    expect(await protocol.restore(loaded.draft, 'nothing')).toMatchObject({
      kind: 'restored',
      proof: 'look',
    });
    expect(scene.agent.submissions()).toEqual([MESSAGE]);
    expect((await scene.agent.draft()).text).toBe(draft);
    expect(scene.interrupts()).toHaveLength(1);
    expect(scene.isAlive()).toBe(true);
  });

  test('what the screen shows of it is saved before the Ctrl-C', async () => {
    const scene = await start();
    await scene.type('half a thought');
    let savedBefore: Draft | undefined;
    await scene
      .protocol({
        before: async (strokes) => {
          if (isInterrupt(strokes)) savedBefore = scene.saved.at(-1);
          return undefined;
        },
      })
      .load();
    expect(savedBefore).toMatchObject({ text: 'half a thought', exact: false });
    // The blank and the Ctrl-C are one write.
    const keys = scene.agent.events().filter(({ ev }) => ev === 'key');
    const at = keys.findIndex(({ name }) => name === 'C-c');
    expect(keys[at - 1]).toMatchObject({ text: ' ' });
  });

  test.each([
    ['one plain line', 'half a thought', true],
    ['a trailing blank', 'half a thought ', false],
    ['two blanks in a row, which may be a tab', 'half  a thought', false],
    ['two lines', 'half\na thought', false],
    ['a line that reaches the edge', 'x'.repeat(97), false],
  ])('exact or not: %s', async (_name, draft, exact) => {
    const scene = await start();
    await scene.type(draft);
    // The caret elsewhere: what is behind it must not be guessed.
    await scene.agent.press('Left', 'Left');
    await scene.settled();
    const loaded = await scene.protocol().load();
    expect(loaded).toMatchObject({ kind: 'loaded', draft: { text: draft, exact } });
    if (exact) expect(loaded).toMatchObject({ draft: { caret: draft.length - 2 } });
  });

  test('without known editing keys no draft counts as exact', async () => {
    const scene = await start();
    await scene.type('half a thought');
    const loaded = await scene.protocol({ profile: NO_KEYS }).load();
    expect(loaded).toMatchObject({ kind: 'loaded', draft: { text: 'half a thought', exact: false } });
  });

  test('on a screen full of earlier messages with the same words', async () => {
    const scene = await start();
    for (let i = 0; i < 12; i++) {
      await scene.agent.paste(MESSAGE);
      await scene.agent.press('Enter');
    }
    await until(() => scene.agent.submissions().length === 12, 'the messages');
    await scene.type('draft');
    expect(await scene.protocol().load()).toMatchObject({ kind: 'loaded', draft: { text: 'draft' } });
    expect((await scene.agent.draft()).text).toBe(MESSAGE);
  });

  test.each([['--no-rules'], ['--alt'], ['--redraw', '40']])('in a box with %s %s', async (...args) => {
    const scene = await start(args);
    await scene.type('one\ntwo');
    const protocol = scene.protocol();
    const loaded = await protocol.load();
    expect(loaded).toMatchObject({ kind: 'loaded', draft: { text: 'one\ntwo' } });
    if (loaded.kind !== 'loaded') return;
    await scene.submit(protocol);
    expect(await protocol.restore(loaded.draft, 'nothing')).toMatchObject({ kind: 'restored' });
    expect((await scene.agent.draft()).text).toBe('one\ntwo');
  });
});

describe('edge cases', () => {
  test('copy mode: nothing is pressed', async () => {
    const scene = await start();
    await scene.type('draft');
    tmux.run('copy-mode', '-t', scene.agent.pane.id);
    expect(await scene.protocol().load()).toMatchObject({ kind: 'refused', reason: 'in_mode' });
    tmux.run('send-keys', '-t', scene.agent.pane.id, '-X', 'cancel');
    expect((await scene.agent.draft()).text).toBe('draft');
    expect(scene.steps).toEqual([]);
  });

  test('large paste placeholder: nothing is pressed', async () => {
    const scene = await start(['--collapse', '20']);
    const draft = 'a long paste that is shown as a label';
    await scene.type(draft);
    const editor = { placeholder: '\\[Pasted text #\\d+' } as BoxProfile['editor'] & object;
    const loaded = await scene.protocol({ profile: { ...PROFILE, editor } }).load();
    expect(loaded).toMatchObject({ kind: 'refused', reason: 'draft_unreadable' });
    expect((await scene.agent.draft()).text).toBe(draft);
    expect(scene.steps).toEqual([]);
  });

  test('user typing during inject: their words are back behind the draft, ours are gone', async () => {
    const scene = await start();
    await scene.type("I'm starting to type some instructio");
    const protocol = scene.protocol({
      blind: true,
      before: async (strokes) => {
        if (isPaste(strokes) && scene.steps.filter((step) => step === 'typed').length === 1)
          await scene.agent.type('ns for you t');
        return undefined;
      },
    });
    expect(await protocol.load()).toMatchObject({ kind: 'refused', reason: 'user_typing' });
    expect((await scene.agent.draft()).text).toBe("I'm starting to type some instructions for you t");
    expect(scene.saved.at(-1)?.text).toBe("I'm starting to type some instructions for you t");
    expect(scene.interrupts()).toHaveLength(1);
    expect(scene.agent.submissions()).toEqual([]);
  });

  test('user typing behind the message: the same', async () => {
    const scene = await start();
    await scene.type('draft');
    const protocol = scene.protocol({
      before: async (strokes) => {
        if (!isPaste(strokes) || scene.steps.filter((step) => step === 'typed').length !== 1)
          return undefined;
        return scene.agent.pane.strokes([...strokes, { type: ' and more' }]);
      },
    });
    expect(await protocol.load()).toMatchObject({ kind: 'refused', reason: 'user_typing' });
    expect((await scene.agent.draft()).text).toBe('draft and more');
  });

  test('without editing keys our text stays, and the draft stays saved', async () => {
    const scene = await start();
    await scene.type('draft');
    const protocol = scene.protocol({
      profile: NO_KEYS,
      blind: true,
      before: async (strokes) => {
        if (isPaste(strokes)) await scene.agent.type('typed ');
        return undefined;
      },
    });
    const loaded = await protocol.load();
    expect(loaded).toMatchObject({ kind: 'stuck', reason: 'user_typing', draft: { text: 'drafttyped ' } });
    expect((await scene.agent.draft()).text).toBe(`typed ${MESSAGE}`);
    expect(scene.interrupts()).toHaveLength(1);
  });

  test('a key right after the Ctrl-C: the paste is refused, the key is kept behind the draft', async () => {
    const scene = await start();
    await scene.type('draft');
    const protocol = scene.protocol({
      before: async (strokes) => {
        if (isPaste(strokes) && scene.steps.filter((step) => step === 'typed').length === 1) {
          await scene.agent.type('s');
          await until(async () => (await scene.agent.draft()).text === 's', 'the key');
          await scene.settled();
        }
        return undefined;
      },
    });
    expect(await protocol.load()).toMatchObject({ kind: 'refused', reason: 'user_typing' });
    expect((await scene.agent.draft()).text).toBe('drafts');
  });

  test('an "Interrupted" message, agent output and a changed status are no typing', async () => {
    const scene = await start(['--busy', '1200', '--redraw', '60']);
    await scene.agent.paste('work');
    await scene.agent.press('Enter');
    await until(() => scene.agent.submissions().length === 1, 'the turn to begin');
    await scene.type('draft');
    let turns = 0;
    const protocol = scene.protocol({
      // The agent prints its answer, and its status row changes, between the two captures.
      before: async (strokes) => {
        if (isPaste(strokes) && turns++ === 0)
          await until(
            async () => (await scene.agent.screen()).some((row) => row.startsWith('bot:')),
            'the answer',
          );
        return undefined;
      },
    });
    expect(await protocol.load()).toMatchObject({ kind: 'loaded', draft: { text: 'draft' } });
    expect((await scene.agent.draft()).text).toBe(MESSAGE);
  });

  test("the message doesn't appear: text_not_found, and the draft is back", async () => {
    const scene = await start();
    await scene.type('draft');
    let pastes = 0;
    const protocol = scene.protocol({
      before: async (strokes) => (isPaste(strokes) && pastes++ === 0 ? { outcome: 'injected' } : undefined),
    });
    expect(await protocol.load()).toMatchObject({ kind: 'refused', reason: 'text_not_found' });
    expect((await scene.agent.draft()).text).toBe('draft');
    expect(scene.interrupts()).toHaveLength(1);
  });

  test('a message that shows only as a placeholder: stuck, the draft is saved', async () => {
    const scene = await start(['--collapse', '30']);
    await scene.type('draft');
    expect(await scene.protocol().load()).toMatchObject({
      kind: 'stuck',
      reason: 'text_not_found',
      draft: { text: 'draft' },
    });
    expect(scene.interrupts()).toHaveLength(1);
    expect(scene.isAlive()).toBe(true);
  });
});

test('random drafts in boxes of random widths: every message exact, every draft back', async () => {
  const seed = newSeed();
  const random = seeded(seed);
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const profile = { ...PROFILE, interrupt: { exitWindowMs: 0, exitsWhenEmpty: true } };
  const words = [
    'a',
    'please',
    'the tests',
    'of',
    '#a1b2c3',
    '[Input',
    'é',
    '中文',
    '🙂',
    'x'.repeat(30),
    '>',
    '-',
  ];
  const seen = { exact: 0, refused: [] as string[] };
  for (const width of [40, 61, 100]) {
    const scene = await start(['--ctrl-c', 'exit-empty'], { width });
    for (let round = 0; round < 12; round++) {
      const line = (): string =>
        Array.from({ length: int(1, 8) }, () => words[int(0, words.length - 1)]).join(' ');
      const draft = Array.from({ length: int(1, 3) }, line).join('\n');
      await scene.type(draft);
      for (let left = int(0, 5); left > 0; left--) await scene.agent.press('Left');
      await scene.settled();
      const sent = scene.agent.submissions().length;
      const protocol = scene.protocol({ profile });
      const loaded = await protocol.load();
      const story = `${JSON.stringify(draft)} at ${width}, seed ${seed}: ${JSON.stringify(loaded, ['kind', 'reason', 'detail'])}`;
      if (loaded.kind === 'loaded') {
        await scene.submit(protocol);
        expect(scene.agent.submissions()[sent], story).toBe(MESSAGE);
        expect(await protocol.restore(loaded.draft, 'nothing'), story).toMatchObject({ kind: 'restored' });
        if (loaded.draft?.exact) seen.exact++;
      } else {
        expect(loaded.kind, story).toBe('refused');
        seen.refused.push(story);
      }
      const now = (await scene.agent.draft()).text;
      const isExact = loaded.kind === 'loaded' && loaded.draft?.exact;
      if (isExact) expect(now, story).toBe(draft);
      else expect(now.replace(/\s/g, ''), story).toBe(draft.replace(/\s/g, ''));
      await scene.agent.press('C-c');
      await until(async () => (await scene.agent.draft()).text === '', 'the box to be cleared');
    }
    expect(scene.isAlive()).toBe(true);
  }
  expect(seen.exact).toBeGreaterThan(0);
  expect(seen.refused).toEqual([]);
});
