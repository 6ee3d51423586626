// What an agent does now: known from its process, its door, a file it keeps, its hooks, or last from its screen.

// `gone`: its process has ended, or its pane was closed.
export type AgentState = 'idle' | 'busy' | 'waiting' | 'gone' | 'unknown';

// From the best to the least sure.
const SOURCES = ['process', 'door', 'registry', 'hook', 'screen'] as const;
export type StatusSource = (typeof SOURCES)[number];

// A hook tells that something began; where its end has no hook of its own (a person's Escape), nobody tells. A screen tells
// only whether something is printed.
export type Sureness = 'certain' | 'likely' | 'guess';
const SURENESS: Readonly<Record<StatusSource, Sureness>> = {
  process: 'certain',
  door: 'certain',
  registry: 'certain',
  hook: 'likely',
  screen: 'guess',
};
export const surenessOf = ({ source }: Pick<Status, 'source'>): Sureness => SURENESS[source];

export interface Status {
  state: AgentState;
  since: number;
  source: StatusSource;
  // What a person is waited for, and the like.
  detail: string | null;
}

export const NO_STATUS: Status = { state: 'unknown', since: 0, source: 'screen', detail: null };

export const goneStatus = (since: number, reason: string): Status => ({
  state: 'gone',
  since,
  source: 'process',
  detail: reason,
});

// For an agent that nothing else tells of: agents at work repaint all the time. One that is at rest may also be at a dialog.
export function screenStatus(
  { printedAt, burstAt }: { printedAt: number; burstAt: number },
  now: number,
  restMs: number,
): Status {
  const isPrinting = now - printedAt < restMs;
  return isPrinting
    ? { state: 'busy', since: burstAt, source: 'screen', detail: 'it prints' }
    : { state: 'idle', since: printedAt, source: 'screen', detail: 'it prints nothing' };
}

// Pure: what is known after a report. A worse source does not overrule what a better one said after it was last heard.
export function nextStatus(known: Status, report: Status): Status {
  const isWorse = SOURCES.indexOf(report.source) > SOURCES.indexOf(known.source);
  if (isWorse && known.state !== 'unknown') return known;
  if (report.state === known.state && report.detail === known.detail)
    return report.source === known.source ? known : { ...report, since: known.since };
  return report;
}
