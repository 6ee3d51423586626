// The markers that were seen, as they are kept on disk.
import type { SignalMarkRow } from '../store/index.js';
import type { Occurrence } from './occurrences.js';

export const occurrenceOf = ({
  state,
  message,
  id,
  is_report,
  is_copied,
  also,
  ...row
}: SignalMarkRow): Occurrence => ({
  ...row,
  marker: { state, message, id },
  isReport: is_report === 1,
  isCopied: is_copied === 1,
  also: JSON.parse(also),
});

export const rowOf = (
  session: string,
  { marker, isReport, isCopied, also, ...row }: Occurrence,
): SignalMarkRow => ({
  ...row,
  ...marker,
  session,
  is_report: isReport ? 1 : 0,
  is_copied: isCopied ? 1 : 0,
  also: JSON.stringify(also ?? []),
});
