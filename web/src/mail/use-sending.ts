// Sends what was written: once, whatever number of tries it takes, and without losing what is written meanwhile.
import { useRef, useState } from 'react';
import type { Message } from '../../../src/api/types.js';
import { sentence } from '../api/request.js';
import { useMemory } from '../attention/memory-context.js';
import { randomKey } from '../parts/random-key.js';
import { useStore } from '../state/store.js';
import { type KeptText, useKeptText } from './kept-text.js';

export type SendState = { at: 'writing' } | { at: 'sending' } | { at: 'failed'; problem: string };

export interface Sending extends Omit<KeptText, 'takeOut'> {
  state: SendState;
  // The ids of what was sent last.
  sent: readonly string[];
  // `letter`: all that makes it this one and no other. Whether it was sent.
  send: (letter: unknown, ask: (key: string) => Promise<{ messages: Message[] }>) => Promise<boolean>;
}

export function useSending(keptAs: string): Sending {
  const store = useStore();
  const live = useMemory();
  const { text, setText, takeOut } = useKeptText(keptAs);
  const [state, setState] = useState<SendState>({ at: 'writing' });
  const [sent, setSent] = useState<readonly string[]>([]);
  // The same letter tried again, after a broken connection, is one message; a changed one is another.
  const tried = useRef<{ letter: string; key: string }>(undefined);
  const isUnderWay = useRef(false);
  const keyFor = (letter: string): string => {
    if (tried.current?.letter !== letter) tried.current = { letter, key: randomKey() };
    return tried.current.key;
  };

  const send: Sending['send'] = async (letter, ask) => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setState({ at: 'sending' });
    const keep = store.asking();
    const { sessions } = store.state;
    try {
      const { messages } = await ask(keyFor(JSON.stringify(letter)));
      keep(messages);
      // Who is answered needs no answer any more; what it has reported meanwhile does.
      for (const { to } of messages) {
        const seq = sessions[to.id]?.signal_seq;
        if (seq) live.markSeen(to.id, seq);
      }
      setSent(messages.map(({ id }) => id));
      takeOut(text);
      tried.current = undefined;
      setState({ at: 'writing' });
      return true;
    } catch (error) {
      setState({ at: 'failed', problem: sentence(error) });
      return false;
    } finally {
      isUnderWay.current = false;
    }
  };
  return { text, setText, state, sent, send };
}
