// Counts the transactions that a piece of work commits, from SQLite's write-ahead log (https://sqlite.org/fileformat2.html#walformat).
import fs from 'node:fs';
import { openDatabase } from '../../dist/store/open.js';

const HEADER = 32;
const FRAME_HEADER = 24;

export async function countCommits(file, work) {
  // While someone reads an old state, the log is started over at most once, and that shows in its salts.
  const reader = openDatabase(file, { readonly: true });
  try {
    reader.exec('BEGIN');
    reader.prepare('SELECT COUNT(*) FROM messages').get();
    const before = readLog(`${file}-wal`);
    await work();
    const after = readLog(`${file}-wal`);
    return after.salts.equals(before.salts) ? after.commits - before.commits : after.commits;
  } finally {
    reader.close();
  }
}

function readLog(file) {
  const log = fs.readFileSync(file);
  const salts = Buffer.from(log.subarray(16, 24));
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  let commits = 0;
  // Frames of an earlier round of the log have other salts. The frame that ends a transaction holds the database's size.
  for (let at = HEADER; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits++;
  }
  return { salts, commits };
}
