// One request at a time; every answer is shown, and what changed meanwhile is asked for once more.
import { expect, test } from 'vitest';
import { type Asked, Asker } from './asker.js';

// The requests that were made, to be answered by hand.
function scene() {
  const requests: { answer: (text: string) => Promise<void>; fail: () => Promise<void> }[] = [];
  let shown: Asked<string> = { data: undefined, problem: undefined, isLoading: false };
  const asker = new Asker<string>(
    () =>
      new Promise((resolve, reject) => {
        const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
        requests.push({
          answer: (text) => {
            resolve(text);
            return settled();
          },
          fail: () => {
            reject(new Error('the daemon does not answer'));
            return settled();
          },
        });
      }),
    (change) => {
      shown = change(shown);
    },
  );
  return { asker, requests, shown: () => shown };
}

test('many changes while an answer is awaited make one more request, and the answer is shown before it', async () => {
  const { asker, requests, shown } = scene();
  asker.ask();
  for (let change = 0; change < 25; change++) asker.ask();
  expect(requests).toHaveLength(1);
  await requests[0]?.answer('first');
  expect(shown()).toEqual({ data: 'first', problem: undefined, isLoading: true });
  expect(requests).toHaveLength(2);
  await requests[1]?.answer('second');
  expect([shown(), requests.length]).toEqual([{ data: 'second', problem: undefined, isLoading: false }, 2]);
});

test('what failed keeps the last answer beside its problem, and is tried again when the daemon is there again', async () => {
  const { asker, requests, shown } = scene();
  asker.ask();
  await requests[0]?.answer('known');
  asker.retry();
  expect(requests).toHaveLength(1);
  asker.ask();
  await requests[1]?.fail();
  expect(shown()).toEqual({ data: 'known', problem: 'the daemon does not answer', isLoading: false });
  asker.retry();
  await requests[2]?.answer('new');
  expect(shown()).toEqual({ data: 'new', problem: undefined, isLoading: false });
});

test('a request that is under way when the daemon is there again is repeated only if it fails', async () => {
  const fine = scene();
  fine.asker.ask();
  fine.asker.retry();
  await fine.requests[0]?.answer('x');
  expect(fine.requests).toHaveLength(1);
  const broken = scene();
  broken.asker.ask();
  broken.asker.retry();
  await broken.requests[0]?.fail();
  expect(broken.requests).toHaveLength(2);
});

test('nothing is told after the end', async () => {
  const { asker, requests, shown } = scene();
  asker.ask();
  asker.ask();
  asker.end();
  await requests[0]?.answer('late');
  expect([shown().data, requests.length]).toEqual([undefined, 1]);
});
