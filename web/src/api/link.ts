// The state of the connection to the feed: data, and what follows from an event. Pure.
export type Link =
  | { at: 'connecting'; tries: number }
  | { at: 'live' }
  // Tried again at `until`, or as soon as somebody looks.
  | { at: 'broken'; tries: number; until: number }
  | { at: 'signed_out' };

export type LinkEvent =
  | { type: 'opened' }
  | { type: 'closed'; now: number }
  | { type: 'due' }
  | { type: 'signed_out' }
  | { type: 'signed_in' };

const FIRST_MS = 500;
const MOST_MS = 15_000;

export const CONNECTING: Link = { at: 'connecting', tries: 0 };

export const delayOf = (tries: number): number => Math.min(FIRST_MS * 2 ** tries, MOST_MS);

export function nextLink(link: Link, event: LinkEvent): Link {
  switch (event.type) {
    case 'signed_out':
      return { at: 'signed_out' };
    case 'signed_in':
      return link.at === 'signed_out' ? CONNECTING : link;
    case 'opened':
      return link.at === 'signed_out' ? link : { at: 'live' };
    case 'closed': {
      if (link.at === 'signed_out' || link.at === 'broken') return link;
      const tries = link.at === 'connecting' ? link.tries : 0;
      return { at: 'broken', tries, until: event.now + delayOf(tries) };
    }
    case 'due':
      return link.at === 'broken' ? { at: 'connecting', tries: link.tries + 1 } : link;
  }
}
