// What is wrong with a line that is almost a marker.
import { expect, it } from 'vitest';
import { whyNoMarker } from './no-marker.js';

it.each([
  ['schmux completed', 'a marker is --<[sm:state:message]>--'],
  ['--<[done]>--', 'a marker is --<[sm:state:message]>--'],
  ['--<[sm:busy:x]>--', 'no such state: "busy"; one of idle, error'],
  ['--<[sm:Idle:x]>--', 'no such state: "Idle"; one of idle, error'],
  ['--<[sm:busy]>--', 'no such state: "busy"; one of idle, error'],
  ['--<[xy:idle:x]>--', '"xy" is neither sm nor schmux'],
  ['--<[sm:idle:and so on', 'it has no ]>-- at its end'],
  ['Print --<[sm:idle:x]>-- then', 'it is not alone on its line'],
])('%s: %s', (line, reason) => expect(whyNoMarker(line, ['idle', 'error'])).toBe(reason));
