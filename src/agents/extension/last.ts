// Where a message is that a process which is gone was given.
import fs from 'node:fs';
import path from 'node:path';
import type { Found } from '../door.js';
import { LineTail } from '../line-tail.js';
import type { ExtensionKind } from './kind.js';
import { parseSaid, SAID_FILE, type Said, wordOn } from './said.js';

export async function findLast(
  kind: Pick<ExtensionKind, 'inRecords'>,
  { place }: Readonly<Record<string, string>>,
  id: string,
): Promise<Found> {
  const file = place === undefined ? undefined : path.join(place, SAID_FILE);
  if (file === undefined || !fs.existsSync(file))
    return { at: 'unknown', reason: 'what its extension said is gone' };
  const said = [...saidIn(file)];
  const word = wordOn(said, id);
  if (word?.kind === 'received') return { at: 'received', turn: word.turn, evidence: word.evidence };
  const records = said.flatMap((each) => (each.kind === 'hello' && each.records ? [each.records] : []));
  return settleDead(kind, new Set(records), id);
}

// The agent is gone: what the extension did not see taken, the agent's own records may show.
export async function settleDead(
  { inRecords }: Pick<ExtensionKind, 'inRecords'>,
  records: Iterable<string>,
  id: string,
): Promise<Found> {
  let found: Found = { at: 'nowhere', evidence: 'it has ended, and its extension has not seen it taken' };
  for (const file of inRecords ? records : []) {
    found = (await inRecords?.(file, id)) ?? found;
    if (found.at !== 'nowhere') return found;
  }
  return found;
}

function* saidIn(file: string): Generator<Said> {
  for (const { line } of new LineTail(file).read()) {
    const said = parseSaid(line);
    if (said) yield said;
  }
}
