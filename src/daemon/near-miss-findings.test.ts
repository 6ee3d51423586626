// What almost was a signal, as the doctor says it: no more than is known.
import { expect, it } from 'vitest';
import type { Session } from '../sessions/index.js';
import { MOST_KEPT, type NearMiss } from '../signals/index.js';
import { ofNearMisses } from './near-miss-findings.js';

const miss: NearMiss = { session: 's', door: 'marker', text: 'sm: done', reason: 'no marker', at: 1 };
const said = (count: number): string =>
  JSON.stringify(ofNearMisses({ name: 'a' } as Session, Array(count).fill(miss)));

it('says that there may be more than are kept', () => {
  expect(said(1)).toContain('reported once');
  expect(said(MOST_KEPT - 1)).toContain(`reported ${MOST_KEPT - 1} times what`);
  expect(said(MOST_KEPT)).toContain(`${MOST_KEPT} times or more`);
  expect(said(2)).not.toContain('has them all');
});
