import { expect, test } from 'vitest';
import { NO_STATUS, nextStatus, type Status } from './status.js';

const status = (state: Status['state'], source: Status['source'], since = 1): Status => ({
  state,
  since,
  source,
  detail: null,
});

test.each<[string, Status, Status, Status]>([
  ['the first word counts', NO_STATUS, status('busy', 'screen'), status('busy', 'screen')],
  [
    'a better source overrules',
    status('busy', 'hook'),
    status('idle', 'registry', 2),
    status('idle', 'registry', 2),
  ],
  ['a worse one does not', status('busy', 'registry'), status('idle', 'hook', 2), status('busy', 'registry')],
  [
    'the same again changes nothing',
    status('busy', 'door', 1),
    status('busy', 'door', 5),
    status('busy', 'door', 1),
  ],
  [
    'a better source for the same keeps the time',
    status('busy', 'hook', 1),
    status('busy', 'door', 5),
    status('busy', 'door', 1),
  ],
])('%s', (_, known, report, expected) => {
  expect(nextStatus(known, report)).toEqual(expected);
});
