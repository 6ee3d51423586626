import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TuiRecord } from './record.js';
import { MISSED, NOT_STARTED, notStarted, showing } from './shown.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-record-'));
  file = path.join(folder, 'tui.jsonl');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const line = (variant: string): string =>
  `${JSON.stringify({ ts: new Date(2000).toISOString(), kind: 'app_event', variant })}\n`;
const START = `${JSON.stringify({ ts: new Date(1000).toISOString(), kind: 'session_start' })}\n`;
const open = (shown = NOT_STARTED, offset = 0): TuiRecord => new TuiRecord(file, { offset, shown }, true);

test('half a line waits for its rest', () => {
  const record = open();
  expect(record.read()).toBe(NOT_STARTED);
  const text = START + line('StartupThreadStarted');
  fs.writeFileSync(file, text.slice(0, -20));
  expect(record.read().where).toEqual({ kind: 'starting', from: 1000 });
  fs.appendFileSync(file, text.slice(-20));
  expect(record.read().where).toEqual({ kind: 'began', from: 1000, to: 2000 });
  expect(record.offset).toBe(text.length);
});

test('what it means is settled only as long as the TUI has not gone on', () => {
  fs.writeFileSync(file, START + line('StartupThreadStarted'));
  const record = open();
  const { where } = record.read();
  fs.appendFileSync(file, line('ResetTranscriptForThreadSwitch'));
  record.read();
  expect(record.settle(where, 'a')).toBe(false);
  expect(record.shown).toEqual(MISSED);
});

test('a later daemon reads on where the last one stopped', () => {
  fs.writeFileSync(file, START + line('StartupThreadStarted'));
  const shown = open(showing('a'), fs.statSync(file).size).read();
  expect(shown).toEqual(showing('a'));
});

// The TUI does not append: it writes at its own place, wherever the file ends.
test('a record that was cut goes on behind a hole; a line that was lost by the cut is noticed', () => {
  const tui = fs.openSync(file, 'w');
  fs.writeSync(tui, START + line('StartupThreadStarted'));
  fs.writeSync(tui, line('CommitTick').repeat(20_000));
  const record = open();
  record.settle(record.read().where, 'a');
  expect(record.isLarge).toBe(true);
  record.cut();
  expect(record.isLarge).toBe(false);
  expect(fs.statSync(file).size).toBe(0);
  expect(record.read().where).toEqual({ kind: 'thread', thread: 'a' });
  fs.writeSync(tui, line('CommitTick'));
  expect(record.read().where).toEqual({ kind: 'thread', thread: 'a' });
  fs.writeSync(tui, line('CommitTick'));
  fs.truncateSync(file, 0);
  fs.writeSync(tui, line('CommitTick'));
  expect(record.read()).toEqual(MISSED);
  fs.closeSync(tui);
});

test('a file that another process has begun anew is not believed', () => {
  fs.writeFileSync(file, START + line('StartupThreadStarted'));
  const record = open();
  record.read();
  fs.writeFileSync(file, START);
  expect(record.read()).toEqual(MISSED);
});

test('the record of an earlier process in the same pane says nothing of this one', () => {
  const later = (text: string): string => text.replace('1970-01-01T00:00:0', '1970-01-01T00:00:1');
  const ours = later(START) + later(line('StartupThreadStarted'));
  const theirs = START + line('StartupThreadStarted') + line('ResetTranscriptForThreadSwitch');
  // Also where it was cut.
  for (const earlier of [theirs, '\0'.repeat(70_000) + theirs, theirs.repeat(9)]) {
    fs.writeFileSync(file, earlier);
    const record = open(notStarted(5000));
    expect(record.read().where).toMatchObject({ kind: 'starting', from: undefined });
    fs.writeFileSync(file, ours);
    expect(record.read().where).toEqual({ kind: 'began', from: 11_000, to: 12_000 });
    expect(record.offset).toBe(ours.length);
    fs.appendFileSync(file, later(line('ResetTranscriptForThreadSwitch')));
    expect(record.read()).toEqual(MISSED);
  }
});
