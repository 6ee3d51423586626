// What a short send is answered with, from what is known of the message; only what is proved counts as delivered.
import type { ShortSendResponse } from '../api/types.js';
import { isAtLeast } from '../mail/index.js';
import type { MessageRow } from '../store/index.js';
import { estimate, type Prospects } from './estimate.js';

export interface Known extends Omit<Prospects, 'state'> {
  row: Pick<MessageRow, 'mode' | 'state' | 'receipt'>;
  position: number;
  interrupted: boolean;
}

// Through a door the agent itself has to show it: what only lies in the agent's own queue may come back.
export const isDelivered = ({ state, receipt }: Pick<MessageRow, 'state' | 'receipt'>): boolean =>
  isAtLeast(receipt, 'received') || (state === 'settled' && isAtLeast(receipt, 'submitted'));

export function shortAnswer({ row, position, interrupted, ...rest }: Known): ShortSendResponse {
  const { mode: delivery_mode, state } = row;
  if (isDelivered(row)) return { status: 'delivered', delivery_mode, interrupted };
  switch (state) {
    case 'cancelled':
    case 'expired':
    case 'dead':
      return { status: state, delivery_mode };
    case 'settled':
      return { status: 'uncertain', delivery_mode };
    case 'pending':
    case 'attempting':
    case 'accepted':
      return {
        status: 'queued',
        queue_position: state === 'accepted' ? null : position,
        delivery_mode,
        estimated_delivery: estimate({ state, ...rest }),
      };
  }
}
