// All that happened to one message, in order, as the daemon has it on disk.
import { getMessage } from '../api/endpoints.js';
import { Loading } from '../parts/loading.js';
import { useLoad } from '../parts/use-load.js';
import type { Mail } from '../state/model.js';

const time = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, {
    hour12: false,
    fractionalSecondDigits: 3,
  } as Intl.DateTimeFormatOptions);

export function Life({ mail }: { mail: Mail }) {
  const turn = [mail.state, mail.receipt, mail.held].join();
  const load = useLoad(() => getMessage(mail.id), [mail.id], turn);
  return (
    <Loading load={load}>
      {(message) => (
        <div className="life">
          <p className="muted">
            #{message.id} · {message.mode} · as {message.as} · way in: {message.way ?? 'none yet'}
            {message.held_ms !== null && ` · keys waited ${message.held_ms} ms`}
            {message.draft !== null && ` · draft ${message.draft}`}
          </p>
          <ol>
            {message.events.map(({ seq, at, kind, data }) => (
              <li key={seq}>
                <time dateTime={at}>{time(at)}</time> <b>{kind}</b>{' '}
                <span className="muted">{detailOf(data)}</span>
              </li>
            ))}
          </ol>
          {message.answer && (
            <p className="message-text open">
              <b>Answer:</b> {message.answer}
            </p>
          )}
        </div>
      )}
    </Loading>
  );
}

const detailOf = (data: Record<string, unknown>): string =>
  Object.entries(data)
    .filter(([key, value]) => key !== 'answer' && key !== 'lease' && value !== null && value !== undefined)
    .map(([key, value]) => (key === 'reason' || key === 'detail' ? String(value) : `${key} ${text(value)}`))
    .join(' · ');

const text = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
