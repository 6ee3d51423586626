#!/usr/bin/env node
// An agent that is let go on by files beside a copy of it: it tells the version that is in `version` once that is there,
// and becomes the agent that its first argument names once `begin` is there.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const LOOK_MS = 20;

async function given(name) {
  const file = new URL(name, import.meta.url);
  while (!fs.existsSync(file)) await delay(LOOK_MS);
  return fs.readFileSync(file, 'utf8');
}

if (process.argv.includes('--version')) console.log(await given('version'));
else {
  await given('begin');
  process.argv.splice(1, 1);
  await import(pathToFileURL(process.argv[1]));
}
