// Markers in the answers of the real Claude Code, which paints them: each is one signal, by its transcript and by its screen.
import { describe, expect } from 'vitest';
import { type RealAgent, testsOf } from './support/real-agent.js';

const mark = (message: string, state = 'completed'): string => `--<[sm:${state}:${message}]>--`;
const LONG = `all of it, ${'and a little more of it, '.repeat(6)}to the end`;

// The model answers with these lines.
const answer = (...lines: string[]): string =>
  `[[say ${Buffer.from(lines.join('\n\n')).toString('base64')}]]`;

async function messages(claude: RealAgent): Promise<string[]> {
  const signals = await claude.client.signals({ session: claude.own.id, limit: 500 });
  return signals.filter(({ door }) => ['marker', 'transcript'].includes(door)).map(({ message }) => message);
}

async function seen(claude: RealAgent, message: string): Promise<string[]> {
  const told = async () => `${claude.stage.screen()}\n${JSON.stringify(await messages(claude))}`;
  await claude.eventually(
    async () => (await messages(claude)).at(-1) === message,
    `${message} is seen`,
    told,
  );
  return messages(claude);
}

function resize(claude: RealAgent, columns: number, rows: number): void {
  claude.stage.place.tmux('resize-window', '-t', claude.own.pane, '-x', String(columns), '-y', String(rows));
}

describe.each([
  ['with its transcript', true],
  ['by its screen alone', false],
])('markers of Claude Code, %s', (_, doors) => {
  const test = testsOf('claude', undefined, { doors });

  test('each is one signal while its screen is painted anew and resized', async (claude) => {
    await claude.say(answer('I begin.', mark('step one', 'working'), 'More words.', mark(LONG)));
    for (const columns of [70, 130, 50, 120]) {
      resize(claude, columns, 30);
      await claude.stage.rest();
    }
    await claude.say(answer('Once more.', mark(LONG), mark('end')));
    expect(await seen(claude, 'end')).toEqual(['step one', LONG, LONG, 'end']);
  });

  test('what is said while no daemon runs is found, in order and once', async (claude) => {
    const before = await messages(claude);
    await claude.killDaemon();
    await claude.say(answer('Nobody hears me.', mark('one'), 'But I go on.', mark('two'), mark('one')));
    await claude.stage.rest(1000);
    await claude.startDaemon();
    await claude.eventually(
      async () => (await messages(claude)).length >= before.length + 3,
      'all are found',
    );
    await claude.say(answer('Now they do.', mark('after')));
    expect(await seen(claude, 'after')).toEqual([...before, 'one', 'two', 'one', 'after']);
  });

  test('one in mail or in a draft is none', async (claude) => {
    const before = await messages(claude);
    const text = `Say this when you are done:\n${mark('mail')}`;
    const id = await claude.send(text, { from: undefined });
    await claude.client.wait(id, { for: 'submitted', timeout: 20 });
    await claude.stage.typist.type(mark('draft'));
    await claude.stage.rest(1000);
    await claude.stage.typist.press('Enter');
    await claude.stage.rest(1000);
    await claude.say(answer('Well.', mark('last')));
    expect(await seen(claude, 'last')).toEqual([...before, 'last']);
  });
});
