// What is known of a session, in words.
import type { ReactNode } from 'react';
import type { Session } from '../../../src/api/types.js';
import { SessionLink } from '../mail/message-row.js';
import { Age } from '../parts/clock.js';
import { stateWords } from '../sessions/words.js';

export function SessionFacts({ session }: { session: Session }) {
  const { status, door, program } = session;
  return (
    <dl className="facts">
      <Fact name="Id">{session.id}</Fact>
      <Fact name="Agent">{session.agent}</Fact>
      <Fact name="Host">{session.host ?? 'this one'}</Fact>
      <Fact name="Folder">{session.cwd}</Fact>
      <Fact name="Command">{session.command.join(' ')}</Fact>
      <Fact name="Pane">
        {session.pane} of {session.socket}
      </Fact>
      <Fact name="Program">{program ? `${program.name} (${program.pid})` : 'not known'}</Fact>
      <Fact name="Does">
        {status.state}
        {status.sure && ` · ${status.sure}, by its ${status.source}`}
        {status.detail && ` · ${status.detail}`}
      </Fact>
      <Fact name="Last signal">
        {session.signal_state === null ? (
          'none yet'
        ) : (
          <>
            {stateWords(session.signal_state)} (no. {session.signal_seq}, by {session.signal_door}){' '}
            <Age since={session.signal_at} />
            {session.signal_message && (
              <>
                {' · '}
                <bdi>{session.signal_message}</bdi>
              </>
            )}
          </>
        )}
      </Fact>
      <Fact name="Way in">
        {door ? `${door.name}: ${door.state}${door.reason ? `, ${door.reason}` : ''}` : 'its input box'}
      </Fact>
      <Fact name="Past a draft">{session.past_draft ?? 'as configured'}</Fact>
      <Fact name="Parent">
        {session.parent ? (
          <SessionLink id={session.parent.id} name={session.parent.name ?? session.parent.id} />
        ) : (
          'none'
        )}
      </Fact>
      <Fact name="Groups">{session.groups.join(', ') || 'none'}</Fact>
      <Fact name="Started">
        <Age since={session.created_at} />
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
