import type { Signal } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { say, sayJson } from '../print.js';
import { SIGNAL_COLUMNS, signalRow } from '../signal-rows.js';
import { sinceTime } from '../since.js';
import { sayRow, sayTable } from '../table.js';

export default defineCommand({
  about: [
    'Oldest first. BY tells through which door it came first; "inferred" is no word of the agent.',
    'With -f it goes on until Ctrl-C, also over a restart of the daemon, and shows each signal once.',
  ],
  args: [{ name: 'session', optional: true, help: 'only of this session', completes: 'sessions' }],
  options: {
    follow: { kind: 'flag', short: 'f', help: 'go on with new ones, until Ctrl-C' },
    since: { kind: 'text', value: 'TIME', help: 'only what was said since then: 12h, 7d, 2026-01-31' },
    limit: { kind: 'number', value: 'COUNT', short: 'n', initial: 20, most: 10_000, help: 'how many' },
    json: { ...JSON_OPTION, help: 'print JSON; with -f one object a line' },
  },
  examples: [
    { run: 'sm signals', does: 'the last ones of all sessions' },
    { run: 'sm signals -f api', does: 'watch one session' },
    { run: "sm signals -f --json | jq -r 'select(.attention) | .session.name'", does: 'for a script' },
  ],
  async run({ args, options }) {
    const { follow, limit, json } = options;
    const { session: ref } = args;
    const session = ref === undefined ? undefined : await ask((client) => client.session(ref));
    const about = session ? { session: session.id } : {};
    const since = options.since === undefined ? {} : { since: sinceTime('--since', options.since) };
    const signals = await ask((client) => client.signals({ ...about, ...since, limit }));
    if (follow) {
      const show = (signal: Signal): void =>
        json ? say(JSON.stringify(signal)) : sayRow(SIGNAL_COLUMNS, signalRow(signal));
      signals.forEach(show);
      await (await import('../follow-signals.js')).followSignals(about, signals.at(-1), show);
    } else if (json) sayJson(signals);
    else if (signals.length === 0) say('no signals yet; docs/signals.md tells how an agent reports one');
    else sayTable(SIGNAL_COLUMNS, signals.map(signalRow));
    return undefined;
  },
});
