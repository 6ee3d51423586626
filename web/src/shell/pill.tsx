// How the connection to the daemon stands.
import type { Link } from '../api/link.js';
import { usePick } from '../state/store.js';

const WORDS: Record<Link['at'], string> = {
  connecting: 'connecting',
  live: 'live',
  broken: 'not connected',
  signed_out: 'signed out',
};

export function Pill({ onRetry }: { onRetry: () => void }) {
  const link = usePick((state) => state.link);
  const text = WORDS[link.at];
  // One place that stays, so that a screen reader is told when the connection is lost and when it is back.
  return (
    <span role="status">
      {link.at === 'broken' ? (
        <button type="button" className="pill broken" onClick={onRetry} title="Try again now">
          {text}: try now
        </button>
      ) : (
        <span className={`pill ${link.at}`}>{text}</span>
      )}
    </span>
  );
}
