// The text of mail to you that the feed has told of without it: asked for once it is shown.
import { useEffect } from 'react';
import { getInboxItem } from '../api/endpoints.js';
import type { InboxMail } from '../state/model.js';
import { useStore } from '../state/store.js';

const asked = new Set<string>();

export function useInboxText({ id, text }: InboxMail): string | null {
  const store = useStore();
  useEffect(() => {
    if (text !== null || asked.has(id)) return;
    asked.add(id);
    getInboxItem(id)
      .then((item) => store.dispatch({ type: 'inbox', items: [item] }))
      .catch(() => {})
      .finally(() => asked.delete(id));
  }, [store, id, text]);
  return text;
}
