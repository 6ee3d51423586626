// Random drafts through the sentinel protocol, and a death after every stroke of it: nothing of a draft is lost.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SentinelProtocol } from '../src/composer/sentinel.js';
import { Drafted } from './support/drafted.js';
import { newSeed } from './support/random.js';
import { Killed, swapTools } from './support/swap-tools.js';
import { TestTmux } from './support/tmux.js';

let tmux: TestTmux;
beforeAll(() => {
  tmux = new TestTmux();
});
afterAll(async () => {
  tmux.dispose();
  await Drafted.cleanUp();
});

const WORDS = [
  'a',
  'the',
  'word',
  'longer-word',
  'x'.repeat(30),
  '漢字',
  'かな',
  '한국어',
  '🎉',
  '👍🏽',
  'e\u0301',
  'n\u0303o',
  'שלום',
  '§',
  '│',
  '>',
  '-',
  '#{x}',
  '`$()`',
  'é',
  '\u00a0',
  'ไทย',
  '👨‍👩‍👧‍👦',
  '🏳️‍🌈',
  '🇫🇷',
  'z\u0301\u0302\u0303',
  '\u3000',
];
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(' ', '  ', '     ') },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 12, unit: fc.constantFrom(...'abcdefghij.,;:!?/\\"\'{}[]|~^&*') }),
  },
);
const line = (most: number) => fc.array(piece, { maxLength: most }).map((parts) => parts.join(''));
const oneLine = fc.oneof({ weight: 3, arbitrary: line(8) }, { weight: 1, arbitrary: line(40) });
const manyLines = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 5, arbitrary: line(6) },
      { weight: 1, arbitrary: line(25) },
    ),
    { minLength: 2, maxLength: 7 },
  )
  .map((lines) => lines.join('\n'));

const EXAMPLES: [string, number][] = [
  // Rows that look alike, with the caret in one of them and behind it what takes one press or two.
  ['z\u0301 👍🏽\na\n\n\n     é👍🏽', 10],
  // A bar where a narrow box wraps the line.
  [`│👍🏽${'x'.repeat(30)}the│       🇫🇷\n\n-  \n`, 36],
];
const RUNS = Number(process.env.SM_RUNS ?? 25);

describe.each([
  ['one line', oneLine, [], 100],
  ['one line, narrow', oneLine, [], 47],
  ['many lines', manyLines, [], 100],
  ['many lines, narrow', manyLines, [], 47],
  ['many lines, C-k kills rows', manyLines, ['--kill', 'row'], 60],
] as const)('%s', (name, arbitrary, args, width) => {
  test('come back identical, or are refused untouched', async () => {
    const agent = await Drafted.start(tmux, args, { width, height: 40 });
    let refused = 0;
    let runs = 0;
    const kills = args.length ? ('row' as const) : ('line' as const);
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.nat({ max: 60 }), async (text, back) => {
        await agent.clear();
        const before = await agent.put(text, Math.min(back, text.length));
        const attempt = async () => {
          const tools = swapTools(agent.pane, { look: agent.look, token: `p${runs++}`, mark: `#p${runs}` });
          const { lineKeys } = tools.profile;
          if (lineKeys) lineKeys.killToEnd = { ...lineKeys.killToEnd, kills };
          const protocol = new SentinelProtocol(tools);
          return { tools, protocol, loaded: await protocol.load() };
        };
        let { tools, protocol, loaded } = await attempt();
        // A swap that a slow screen made it refuse is tried again, as the courier does.
        if (loaded.kind === 'refused' && tools.steps.length > 0) {
          expect(await agent.truth()).toEqual(before);
          ({ tools, protocol, loaded } = await attempt());
        }
        if (loaded.kind === 'loaded') {
          await agent.enter();
          expect(agent.submissions().at(-1)).toBe(tools.envelope.payload);
          const restored = await protocol.restore(loaded.draft, 'nothing');
          expect(restored, JSON.stringify(restored)).toMatchObject({ kind: 'restored' });
        } else {
          // What tmux does not show whole cannot be read: it is refused before a key is pressed.
          if (text.includes('\u200d')) expect(tools.steps).toEqual([]);
          else refused++;
          expect(loaded, JSON.stringify(loaded)).toMatchObject({ kind: 'refused' });
          if (process.env.SM_TIMES) console.log(JSON.stringify({ text, loaded }));
        }
        expect(await agent.truth()).toEqual(before);
      }),
      { numRuns: RUNS, seed: newSeed(), endOnFailure: true, examples: EXAMPLES },
    );
    console.log(`${name}: ${refused} of ${runs} refused`);
    if (name.startsWith('one line')) expect(refused).toBe(0);
    else expect(refused).toBeLessThanOrEqual(Math.ceil(RUNS / 10));
  }, 300_000);
});

describe('killed after every stroke', () => {
  const drafts: [string, string, number][] = [
    ['one line', 'half a thought', 3],
    ['cursor on line 2 of 3', 'Line 1\nLine 2\nLine 3', 8],
    ['blank, wrapped, trailing blanks', `one  \n\n${'wrap me '.repeat(16)}\n  `, 5],
  ];
  test.each(drafts)(
    '%s',
    async (_name, draft, back) => {
      const agent = await Drafted.start(tmux);
      let died = true;
      for (let dieAfter = 1; died; dieAfter++) {
        await agent.clear();
        const before = await agent.put(draft, back);
        const given = { look: agent.look, token: `k${dieAfter}`, mark: `#k${dieAfter}` };
        const first = swapTools(agent.pane, { ...given, dieAfter });
        const sent = agent.submissions().length;
        died = false;
        try {
          const protocol = new SentinelProtocol(first);
          const loaded = await protocol.load();
          if (loaded.kind !== 'loaded') throw new Error(JSON.stringify(loaded));
          await agent.enter();
          await protocol.restore(loaded.draft, 'nothing');
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          died = true;
        }
        const wasSubmitted = agent.submissions().length > sent;
        if (died) {
          const step = first.steps.at(-1) ?? 'reading';
          const entered = wasSubmitted && step === 'typed' ? 'entered' : step;
          const { submitted, restored } = await new SentinelProtocol(swapTools(agent.pane, given)).recover(
            entered,
            first.saved,
          );
          const told = `after stroke ${dieAfter} (${entered}): ${JSON.stringify({ submitted, restored, saved: first.saved })}`;
          expect(restored.kind, told).toBe('restored');
          expect(submitted, told).toBe(wasSubmitted);
          expect((await agent.truth()).text, told).toBe(before.text);
          expect((await agent.truth()).caret, told).toBe(before.caret);
        }
        expect(await agent.truth()).toEqual(before);
      }
    },
    300_000,
  );
});
