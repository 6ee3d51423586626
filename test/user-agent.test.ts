// An agent of a user's own: the file and the commands that docs/drafts.md gives, followed to the letter.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, until } from './support/tmux.js';
import { World } from './support/world.js';

const PROGRAM = `#!/bin/bash
while IFS= read -r -e -p 'jot> ' line; do printf '%s\\n' "$line" >>"$JOTS"; done
`;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.dispose());

function fileInDocs(): string {
  const text = fs.readFileSync(path.join(ROOT, 'docs/drafts.md'), 'utf8');
  return /```yaml\n# \S*\/agents\/jotter\.yaml\n(.*?)```/s.exec(text)?.[1] ?? '';
}

test('one file adds an agent: it is listed, shown, recognised, and gets mail past a draft', async () => {
  const ok = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await world.sm(words);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  world.profile('jotter', fileInDocs());
  const early = await world.sm(['agents', 'show', 'jotter']);
  expect(early).toMatchObject({ code: 3, stderr: expect.stringMatching(/no such agent.*sm up"\n$/) });
  await ok('down');
  await world.startDaemon();
  expect(await ok('agents')).toMatch(/^jotter +jotter +- +sentinel +file$/m);
  expect(await ok('agents', 'show', 'jotter')).toContain('"key": "C-k"');

  const program = path.join(world.folder, 'jotter');
  fs.writeFileSync(program, PROGRAM, { mode: 0o755 });
  const jots = path.join(world.folder, 'jots');
  fs.writeFileSync(jots, '');
  const started = await ok(
    ...['new', '--json', '--name', 'notes', '--socket', world.socket, '--env', `JOTS=${jots}`, '--', program],
  );
  const session = JSON.parse(started);
  expect(session.agent).toBe('jotter');
  const shown = (): string => world.tmux('capture-pane', '-p', '-t', session.pane).trimEnd();
  await until(() => shown().endsWith('jot>'), 'its prompt');

  const person = await world.person({ session, ...world.agentLog('notes') });
  await person.type('half a line');
  await until(() => shown().endsWith('half a line'), 'the draft');
  await ok('send', 'notes', '--command', 'a note', '--past-draft', 'now', '--wait=submitted');
  expect(fs.readFileSync(jots, 'utf8')).toBe('a note\n');
  await until(() => shown().endsWith('jot> half a line'), 'the draft is back');
});
