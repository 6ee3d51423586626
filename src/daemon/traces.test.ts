// What of ours is in a tmux server goes; what is in force, or another daemon's, stays.
import { expect, test } from 'vitest';
import { type OwnPane, type ServerTraces, tracesIn } from './traces.js';

const NOTHING: ServerTraces = { variables: [], buffers: [], tables: [], remaining: [] };
const process = { pid: 100, isAlive: (pid: number) => pid === 200 };
const own: OwnPane[] = [
  { pane: '%1', origin: 'started' },
  { pane: '%2', origin: 'adopted' },
];
const found = (traces: Partial<ServerTraces>) => {
  const { commands, held } = tracesIn({ ...NOTHING, ...traces }, own, process);
  return { args: commands.map(({ args }) => args.join(' ')), held };
};

test('variables of our panes, and of no other', () => {
  const variables = [
    'SM_AT_1=l.m.1.typed',
    'SM_AT_11=x',
    'SM_AT_3=x',
    'SMHOLD_2_F=if-shell',
    'SMHOLD_21_F=x',
    'MINE=1',
  ];
  expect(found({ variables })).toEqual({
    args: ['set-environment -g -u SM_AT_1', 'set-environment -g -u SMHOLD_2_F'],
    held: [],
  });
});

test('a hold that is in force ends by itself', () => {
  const variables = ['SM_AT_1=l.m.1.typed', 'SMHOLD_1_T=abc', 'SMHOLD_1_F=finish', 'SMHOLD_9_T=def'];
  const tables = ['root', 'prefix', 'smhold-abc-0', 'smhold-def-0', 'smhold-old-0', 'smhold-old-0'];
  expect(found({ variables, tables })).toEqual({
    args: ['set-environment -g -u SM_AT_1', 'unbind-key -a -q -T smhold-old-0'],
    held: ['%1'],
  });
});

test('buffers of this daemon and of those that are gone', () => {
  const buffers = ['buffer0', 'sm-100-7', 'sm-200-1', 'sm-300-2', 'sm-mine', 'sm-1-1-1'];
  expect(found({ buffers }).args).toEqual(['delete-buffer -b sm-100-7', 'delete-buffer -b sm-300-2']);
});

test('the option of panes that were started, not of those that were adopted or are somebody else’s', () => {
  expect(found({ remaining: ['%1', '%2', '%3'] }).args).toEqual(['set-option -p -u -t %1 remain-on-exit']);
});
