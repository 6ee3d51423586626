// Drafts that were taken from input boxes: whether each is back, what it said, and ways to have it again.
import { useState } from 'react';
import type { Draft } from '../../../src/api/types.js';
import { copyDraft, listDrafts, restoreDraft } from '../api/endpoints.js';
import { SessionLink } from '../mail/message-row.js';
import { Age } from '../parts/clock.js';
import { copyText } from '../parts/copy.js';
import { Loading } from '../parts/loading.js';
import { Rows } from '../parts/rows.js';
import { useVoice } from '../parts/say.js';
import { useLoad } from '../parts/use-load.js';
import { usePick } from '../state/store.js';

const STATES: Record<Draft['state'], { word: string; tone: string; about: string }> = {
  saved: {
    word: 'saved, not known to be back',
    tone: 'soon',
    about: 'it was taken from the box and is kept here',
  },
  restored: { word: 'back in its box', tone: 'good', about: 'it was put back, and that was seen' },
  differs: { word: 'the box holds something else', tone: 'now', about: 'it could not be put back as it was' },
  taken: { word: 'taken by you', tone: 'void', about: 'you have had it back' },
};

export function Drafts({ session }: { session?: string }) {
  const [isAll, setAll] = useState(session !== undefined);
  // The feed tells that something became of a draft, never what it says.
  const known = usePick((state) => state.drafts);
  const load = useLoad(
    () => listDrafts({ state: isAll ? 'all' : 'open', limit: 100, ...(session && { session }) }),
    [session, isAll],
    known,
  );
  return (
    <>
      {!session && (
        <label className="check">
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
          also those that are back
        </label>
      )}
      <Loading
        load={load}
        empty={{ when: (drafts) => drafts.length === 0, say: 'Every draft is where it belongs.' }}
      >
        {(drafts) => (
          <Rows>
            {[...drafts].reverse().map((draft) => (
              <DraftRow key={draft.id} draft={draft} isNamed={!session} onChange={load.reload} />
            ))}
          </Rows>
        )}
      </Loading>
    </>
  );
}

interface RowProps {
  draft: Draft;
  isNamed: boolean;
  onChange: () => void;
}

function DraftRow({ draft, isNamed, onChange }: RowProps) {
  const { attempt } = useVoice();
  const { word, tone, about } = STATES[draft.state];
  const copy = async (): Promise<void> => {
    await copyText(draft.text);
    // Whoever has it need not be asked about it again.
    if (draft.state === 'saved' || draft.state === 'differs') await copyDraft(draft.id).catch(() => {});
    onChange();
  };
  return (
    <article className="message" data-draft={draft.id}>
      <header className="message-head">
        {isNamed && (
          <span className="message-who">
            <SessionLink {...draft.session} />
          </span>
        )}
        <span className={`tag ${tone}`} title={about}>
          {word}
        </span>
        <Age since={draft.created_at} />
      </header>
      <pre className="draft-text">{draft.text}</pre>
      {draft.found !== null && (
        <p className="muted">
          The box held: <q>{draft.found}</q>
        </p>
      )}
      <footer className="message-foot">
        <span className="muted">
          {draft.exact ? 'byte for byte' : 'as the screen showed it'}
          {draft.proof && ` · ${draft.proof}`}
        </span>
        <span className="message-actions">
          <button
            type="button"
            className="link"
            onClick={() => void attempt(copy, 'The draft is in your clipboard.')}
          >
            Copy
          </button>
          {draft.state !== 'restored' && (
            <button
              type="button"
              className="link"
              onClick={() =>
                void attempt(async () => {
                  await restoreDraft(draft.id);
                  onChange();
                }, 'It is back in its box.')
              }
            >
              Put back
            </button>
          )}
        </span>
      </footer>
    </article>
  );
}
