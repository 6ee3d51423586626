// A text of ours is found on a screen whatever the box does to it.
import { expect, test } from 'vitest';
import { shownPlaces } from './nudge-diff-shown.js';

const found = (capture: string, text: string): string[] =>
  shownPlaces(Buffer.from(capture), text).map(({ from, to }) =>
    Buffer.from(capture).toString('utf8', from, to),
  );

test.each([
  ['as it is', '❯ hello world\n', ['hello world']],
  ['wrapped and indented', '❯ hello\n  world\n', ['hello\n  world']],
  ['in a frame', '│ > hel   │\n│   lo    │\n│   world │\n', ['hel   │\n│   lo    │\n│   world']],
  ['twice', 'you: hello world\n❯ hello world', ['hello world', 'hello world']],
  ['in part only', '❯ hello wor', []],
  ['with other words between', '❯ hello my world', []],
])('%s', (_, capture, expected) => {
  expect(found(capture, 'hello world')).toEqual(expected);
});

test('characters beside the frames are no frames', () => {
  expect(found('❯ a▲b─c', 'a▲bc')).toEqual(['a▲b─c']);
  expect(found('anything', ' \n')).toEqual([]);
});
