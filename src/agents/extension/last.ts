// Where a message is that a process which is gone was given.
import fs from 'node:fs';
import path from 'node:path';
import type { Found } from '../door.js';
import { LineTail } from '../line-tail.js';
import type { ExtensionKind } from './kind.js';
import { parseSaid, SAID_FILE, type Said, wordOn } from './said.js';

export async function findLast(
  kind: Pick<ExtensionKind, 'inRecords' | 'unrecordedMs'>,
  { place }: Readonly<Record<string, string>>,
  id: string,
): Promise<Found> {
  const file = place === undefined ? undefined : path.join(place, SAID_FILE);
  if (file === undefined || !fs.existsSync(file))
    return { at: 'unknown', reason: 'what its extension said is gone' };
  const said = [...saidIn(file)];
  const word = wordOn(said, id);
  if (word?.kind === 'received') return { at: 'received', turn: word.turn, evidence: word.evidence };
  const found = await inRecords(kind, said, id);
  const isOpen = found.at === 'nowhere' && mayBeUnrecorded(kind.unrecordedMs ?? 0, said, id);
  return isOpen ? { at: 'unknown', reason: 'it ended before its records could show it' } : found;
}

// What the extension did not see taken, the agent's own records may show.
async function inRecords(
  { inRecords: look }: Pick<ExtensionKind, 'inRecords'>,
  said: readonly Said[],
  id: string,
): Promise<Found> {
  const files = said.flatMap((each) => (each.kind === 'hello' && each.records ? [each.records] : []));
  let found: Found = { at: 'nowhere', evidence: 'it has ended, and its extension has not seen it taken' };
  for (const file of look ? new Set(files) : []) {
    found = (await look?.(file, id)) ?? found;
    if (found.at !== 'nowhere') return found;
  }
  return found;
}

// It has it, and ended so soon after the extension's last word that the next may be missing.
function mayBeUnrecorded(withinMs: number, said: readonly Said[], id: string): boolean {
  const word = wordOn(said, id);
  if (word?.kind !== 'handed' && word?.kind !== 'queued') return false;
  const isGoodbye = said.at(-1)?.kind === 'bye';
  const endedAt = isGoodbye ? (said.at(-1)?.at ?? 0) : Date.now();
  const lastAt = said.at(isGoodbye ? -2 : -1)?.at ?? 0;
  return endedAt - lastAt < withinMs && !isBehindTurn(said, id);
}

function isBehindTurn(said: readonly Said[], id: string): boolean {
  const handed = said.findLast((each) => each.kind === 'handed' && each.id === id);
  const turn = handed?.kind === 'handed' ? handed.behind : undefined;
  return turn !== undefined && !said.some((each) => each.kind === 'turn_ended' && each.turn === turn);
}

function* saidIn(file: string): Generator<Said> {
  for (const { line } of new LineTail(file).read()) {
    const said = parseSaid(line);
    if (said) yield said;
  }
}
