// A short pass over two real agents, where they can be installed; `npm run conformance` is the long one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(`./conformance/${file}`, import.meta.url).href);
const { copyBuild } = await load('build-copy.mjs');
const { cellsOf } = await load('cells.mjs');
const { suremail } = await load('letters.mjs');
const { install } = await load('packages.mjs');
const { seeded, seedOf } = await load('random.mjs');
const { Stage, SUBJECTS } = await load('stage.mjs');
const { Trial } = await load('trial.mjs');

interface Cell {
  id: string;
}

// A registry that answers slowly is no reason to fail.
const INSTALL_MS = 240_000;
const CELLS = ['five/idle/none', 'one/idle/on', 'one/dialog/none'];

describe.each(['claude', 'pi'])('%s', (name) => {
  const cells = (cellsOf(SUBJECTS[name]) as Cell[]).filter(({ id }) => CELLS.includes(id));
  let stage: InstanceType<typeof Stage> | undefined;
  let missing = '';

  beforeAll(async () => {
    try {
      install(name, (line: string) => console.log(line));
    } catch (error) {
      missing = (error as Error).message;
      console.log(`${name} is skipped: ${missing}`);
      return;
    }
    const build = await copyBuild();
    stage = await Stage.open(name, { build, random: seeded(1), tell: () => {} });
  }, INSTALL_MS);
  afterAll(() => stage?.close());

  test.for(cells)('$id: the message exact, once and alone; the draft as it was', async (cell, context) => {
    if (!stage) return context.skip(missing);
    stage.typist.random = seeded(seedOf(`${name} ${cell.id}`));
    const trial = new Trial(stage, cell, suremail, {});
    const { outcome, faults } = await trial.play();
    expect({ outcome, faults }).toEqual({ outcome: 'exact', faults: [] });
  });
});
