// One line of the daemon's log (pino's JSON) for people.
import { paint, type Style, visible } from './print.js';
import { clock } from './time.js';

const LEVELS: Record<number, [string, Style]> = {
  10: ['TRACE', 'dim'],
  20: ['DEBUG', 'dim'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'red'],
};

export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
    if (typeof entry !== 'object' || entry === null) return visible(line);
  } catch {
    // A crash of Node itself is not JSON.
    return visible(line);
  }
  const { level, time, msg, err, pid: _pid, hostname: _hostname, ...fields } = entry;
  const [name, style] = LEVELS[Number(level)] ?? [String(level ?? '?'), 'dim'];
  const head = [
    paint('dim', clock((time as number | string | undefined) ?? 0)),
    paint(style, name.padEnd(5)),
    visible(String(msg ?? '')),
  ];
  const tail = Object.entries(fields).map(
    ([key, value]) => `${paint('dim', `${key}=`)}${visible(shown(value))}`,
  );
  return [...head, ...tail].join(' ') + errorLines(err);
}

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

function errorLines(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message } = error as { stack?: string; message?: string };
  return (stack ?? message ?? '')
    .split('\n')
    .map((line) => `\n    ${visible(line)}`)
    .join('');
}
