// The text of a message that the feed has told of without it: asked for once it is shown.
import { useEffect } from 'react';
import { getMessage } from '../api/endpoints.js';
import type { Mail } from '../state/model.js';
import { useStore } from '../state/store.js';

const asked = new Set<string>();

export function useText(mail: Mail): string | null {
  const store = useStore();
  const { id, text } = mail;
  useEffect(() => {
    if (text !== null || asked.has(id)) return;
    asked.add(id);
    const keep = store.asking();
    getMessage(id)
      .then((message) => keep([message]))
      .catch(() => {})
      .finally(() => asked.delete(id));
  }, [store, id, text]);
  return text;
}
