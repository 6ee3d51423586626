// What an agent does now: known from its door, its hooks, a file it keeps, or last from its screen.

export type AgentState = 'idle' | 'busy' | 'waiting' | 'unknown';

// From the best to the least sure.
export const SOURCES = ['door', 'registry', 'hook', 'screen'] as const;
export type StatusSource = (typeof SOURCES)[number];

export interface Status {
  state: AgentState;
  since: number;
  source: StatusSource;
  // What a person is waited for, and the like.
  detail: string | null;
}

export const NO_STATUS: Status = { state: 'unknown', since: 0, source: 'screen', detail: null };

// Pure: what is known after a report. A worse source does not overrule what a better one said after it was last heard.
export function nextStatus(known: Status, report: Status): Status {
  const isWorse = SOURCES.indexOf(report.source) > SOURCES.indexOf(known.source);
  if (isWorse && known.state !== 'unknown') return known;
  if (report.state === known.state && report.detail === known.detail)
    return report.source === known.source ? known : { ...report, since: known.since };
  return report;
}
