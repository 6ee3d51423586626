// Carries out what an action says: a note on the desktop, a webhook, a command, mail.
import os from 'node:os';
import { type DesktopNotes, postWebhook, type SignalEffect } from '../mail/index.js';
import type { SignalUseRow, Step } from '../store/index.js';
import type { Action } from './actions.js';
import type { MailEffect } from './mail-effect.js';
import { type CommandEnd, runCommand } from './run-command.js';
import type { Signal } from './signal.js';
import { type Present, signalVariables } from './signal-words.js';
import type { UseEvent } from './use-rule.js';

export interface EffectsDeps {
  notes: Pick<DesktopNotes, 'show' | 'isPossible'>;
  mail: Pick<MailEffect, 'send'>;
  present: Present;
  // The name of a session, also of one that is no more.
  nameOf: (session: string) => string;
  urgencyOf: (state: string) => 'low' | 'normal' | 'high';
  // Of commands.
  env: NodeJS.ProcessEnv;
}

export interface Performance {
  use: SignalUseRow;
  action: Action;
  signal: Signal;
  // Says on disk that it is done.
  done: Step;
  ended: AbortSignal;
}

// `left`: the daemon stops; it stays as it is. `written`: what became of it is on disk already.
export type Performed = UseEvent | { kind: 'left' } | { kind: 'written' };

// What these do cannot be taken back, and nobody can tell afterwards whether it was done: it is begun once.
export const isBegunOnce = ({ kind }: SignalEffect): boolean => kind === 'desktop' || kind === 'command';

// Of what a command prints so much is kept for the log.
const MOST_OUTPUT = 4000;

export class Effects {
  constructor(readonly deps: EffectsDeps) {}

  async perform({ use, action, signal, done, ended }: Performance): Promise<Performed> {
    const { effect } = action;
    switch (effect.kind) {
      case 'desktop':
        return this.#note(use, signal);
      case 'webhook': {
        const body = JSON.stringify({ type: 'signal', signal: this.deps.present(signal) });
        const reason = await postWebhook(effect.hook, itemOf(use), body, { ended });
        if (reason === undefined) return { kind: 'done' };
        return ended.aborted ? { kind: 'left' } : { kind: 'not_taken', reason };
      }
      case 'command':
        return this.#command(effect, signal, ended);
      case 'mail':
        return (await this.deps.mail.send(use, signal, effect, done)) ?? { kind: 'written' };
    }
  }

  async #note(use: SignalUseRow, { session, state, message }: Signal): Promise<Performed> {
    const { notes, nameOf, urgencyOf } = this.deps;
    if (!notes.isPossible)
      return { kind: 'failed', reason: 'no program for it (notify-send, terminal-notifier) is on the PATH' };
    await notes.show({
      item: itemOf(use),
      lead: `${state} from ${nameOf(session)}`,
      text: message,
      urgency: urgencyOf(state),
    });
    return { kind: 'done' };
  }

  async #command(
    { argv, timeoutMs }: Extract<SignalEffect, { kind: 'command' }>,
    signal: Signal,
    ended: AbortSignal,
  ): Promise<Performed> {
    const { env, present, nameOf } = this.deps;
    const end = await runCommand(argv, {
      env: { ...env, ...signalVariables(signal, nameOf(signal.session)) },
      cwd: os.homedir(),
      input: `${JSON.stringify(present(signal))}\n`,
      timeoutMs,
      most: MOST_OUTPUT,
      ended,
    });
    if (end.kind === 'left') return end;
    const reason = failureOf(end, timeoutMs);
    return reason === undefined ? { kind: 'done' } : { kind: 'failed', reason };
  }
}

// The same at every try.
const itemOf = ({ session, seq, action }: SignalUseRow): string => `${session}-${seq}-${action}`;

// Undefined: it ended well.
export function failureOf(end: Exclude<CommandEnd, { kind: 'left' }>, timeoutMs: number): string | undefined {
  const said = 'stderr' in end && end.stderr.trim() !== '' ? `: ${lastLine(end.stderr)}` : '';
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : `it ended with ${end.code}${said}`;
    case 'signalled':
      return `it was ended by ${end.signal}${said}`;
    case 'timeout':
      return `it took longer than ${timeoutMs} ms${said}`;
    case 'not_started':
      return `it could not be started: ${end.reason}`;
  }
}

const lastLine = (text: string): string => (text.trim().split('\n').at(-1) ?? '').slice(0, 200);
