// The proving ground's own judgement: what it calls exact, waiting and failed, and what it counts.
import { describe, expect, test } from 'vitest';

// Plain modules without types of their own.
const load = (file: string) => import(new URL(file, import.meta.url).href);
const { judge } = await load('./judge.mjs');
const { BoxModel } = await load('./box-model.mjs');
const { accountMessages, accountReceipts, compareDraft } = await load('./soak/account.mjs');
const { ModelSubmissions } = await load('./submissions.mjs');

const letter = { mark: '#1', expected: 'from me #1\nhello' };
const scene = {
  faults: [],
  letter,
  submitted: ['from me #1\nhello'],
  own: [],
  draft: { expected: 'half', found: 'half' },
  outcome: { state: 'settled', receipt: 'submitted', held: null },
  arrived: true,
};

describe('a trial', () => {
  test.each<[string, object, string, string[]]>([
    ['is exact', {}, 'exact', []],
    ['may end in a blank', { submitted: ['from me #1\nhello '] }, 'exact', []],
    [
      'fails when it comes twice',
      { submitted: [letter.expected, letter.expected] },
      'fails',
      ['message doubled'],
    ],
    [
      'fails when a draft is in it',
      { submitted: [`x${letter.expected}`] },
      'fails',
      ['message merged with other text'],
    ],
    ['fails when it is cut', { submitted: ['from me #1\nhel'] }, 'fails', ['message altered']],
    [
      'fails when more is submitted',
      { submitted: [letter.expected, 'half'] },
      'fails',
      ['other text submitted'],
    ],
    ['counts a prompt of the person', { submitted: [letter.expected, 'go'], own: ['go'] }, 'exact', []],
    ['fails when the draft is another', { draft: { expected: 'a ', found: 'a' } }, 'fails', ['draft harmed']],
    ['fails when the draft is not read', { draft: { expected: 'a' } }, 'fails', ['draft not readable']],
    [
      'does not mind the number of a paste',
      { draft: { expected: '[Paste #1 - 9]', found: '[Paste #2 - 9]' } },
      'exact',
      [],
    ],
    ['fails without a receipt', { outcome: { state: 'pending', held: null } }, 'fails', ['receipt missing']],
  ])('%s', (_, change, outcome, faults) => {
    expect(judge({ ...scene, ...change })).toMatchObject({ outcome, faults });
  });

  test('that did not arrive waits with a reason, fails without one, and fails when it says otherwise', () => {
    const away = { ...scene, submitted: [], arrived: false };
    const held = { state: 'pending', receipt: 'queued', held: 'draft' };
    expect(judge({ ...away, outcome: held })).toEqual({ outcome: 'waits', faults: [], reason: 'draft' });
    expect(judge({ ...away, outcome: { ...held, held: null } }).faults).toEqual(['not delivered']);
    expect(judge(away).faults).toEqual(['receipt untrue']);
    expect(judge({ ...away, faults: ['command approved'], outcome: held }).outcome).toBe('fails');
  });
});

test('the model of a box follows letters, arrows, Backspace, new lines and Enter', () => {
  const box = new BoxModel();
  box.insert('ab中d');
  for (const key of ['Left', 'BSpace']) box.press(key);
  box.insert('c');
  expect([box.text(), box.caret]).toEqual(['abcd', 3]);
  box.press('C-j');
  box.insertWhole('a long paste');
  expect(box.text(new Map([['a long paste', '[Pasted]']]))).toBe('abc\n[Pasted]d');
  box.press('BSpace');
  box.press('Enter');
  expect([box.submitted, box.text()]).toEqual([['abc\nd'], '']);
});

test('what is lost, doubled, altered, foreign or missing is counted', () => {
  const sent = ['#1', '#2', '#3', '#4'].map((mark) => ({ mark, expected: `text ${mark}` }));
  const submitted = ['text #1', 'text #2', 'text #2', 'x text #3', 'go', 'what'];
  expect(accountMessages(sent, submitted, ['go', 'stop'])).toMatchObject({
    sent: 4,
    lost: 1,
    doubled: 1,
    altered: 1,
    foreign: 1,
    promptsLost: 1,
  });
});

describe('receipts', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const life = (done: object, turn: string | null = 't', doneAt = 9): object[] => [
    { kind: 'attempt', at: at(1), data: { way: 'door' } },
    { kind: 'received', at: at(2), data: { evidence: 'e', turn } },
    { kind: 'done', at: at(doneAt), data: { how: 'completed', ...done } },
  ];
  const requests = [
    { users: ['other'], endAt: 3 },
    { users: ['other', '#1'], endAt: 8 },
  ];
  const faults = (events: object[]) =>
    accountReceipts([{ id: '1', mark: '#1' }], new Map([['1', events]]), requests).receipts.map(
      ({ fault }: { fault: string }) => fault,
    );

  test.each<[string, object[], string[]]>([
    ['hold', life({ answer: 'ok 2' }), []],
    ['need no answer of a turn that was interrupted', life({ answer: null, how: 'interrupted' }), []],
    ['need no answer of a turn that has no name', life({}, null), []],
    ['need one of all others', life({ answer: null }), ['done without its answer']],
    ['name their own turn', life({ answer: 'ok 1' }), ['the answer of another turn']],
    ['come after the answer', life({ answer: 'ok 2' }, 't', 5), ['done before its answer']],
    ['come at all', life({}).slice(0, 2), ['its turn has not ended']],
  ])('%s', (_, events, found) => expect(faults(events)).toEqual(found));
});

test.each([
  ['abc', 'abc', 'same'],
  ['abc', 'acb', 'out of order'],
  ['abc', 'ac', 'keys lost'],
  ['abc', 'abxc', 'text added'],
  ['abc', 'xyz', 'changed'],
  ['abc', undefined, 'unreadable'],
])('a draft %j read as %j is: %s', (expected, found, result) => {
  expect(compareDraft(expected, found)).toBe(result);
});

test('a text counts as often as it stands in one request, since the last mark', () => {
  const requests = [{ users: ['a'] }, { users: ['a', 'b'] }];
  const submissions = new ModelSubmissions({ requests }, () => true);
  submissions.mark();
  requests.push({ users: ['a', 'b', 'c'] }, { users: ['b', 'c', 'c', 'd'] });
  expect(submissions.fresh()).toEqual(['c', 'c', 'd']);
});
