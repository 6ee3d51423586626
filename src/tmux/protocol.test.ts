import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ControlEvent, ControlParser, unescapeOctal } from './protocol.js';

const parse = (text: string | Buffer): ControlEvent[] => new ControlParser().feed(Buffer.from(text));

test('a reply ends at its own number and flags only', () => {
  const body = '%begin 1 2 3\n%end 1 2 3\n%end 5 7 0\n%error 5 8 1\n%output %1 x\n';
  const [block, ...rest] = parse(`%begin 5 7 1\n${body}%end 5 7 1\n`);
  expect(rest).toEqual([]);
  expect(block).toMatchObject({ type: 'block', ok: true, ours: true });
  expect(block?.type === 'block' && block.lines.join('\n')).toBe(body.trimEnd());
});

test('the attach block is not ours, and an error block says so', () => {
  expect(parse('%begin 5 7 0\n%end 5 7 0\n%begin 5 8 1\nbad\n%error 5 8 1\n')).toMatchObject([
    { ours: false, ok: true },
    { ours: true, ok: false },
  ]);
});

test('notifications are typed', () => {
  const lines = [
    '%pause %3',
    '%continue %3',
    '%pane-mode-changed %3',
    '%window-add @3',
    '%unlinked-window-add @4',
    '%window-close @4',
    '%unlinked-window-close @5',
    '%session-changed $1 my name',
    '%subscription-changed sm $0 @0 0 %0 : 0 0 a : b',
    '%extended-output %7 12 : a\\033b : c',
    '%exit server exited',
    '%something-new x',
  ];
  expect(parse(`${lines.join('\n')}\n`)).toEqual([
    { type: 'pause', pane: '%3' },
    { type: 'continue', pane: '%3' },
    { type: 'pane-mode-changed', pane: '%3' },
    { type: 'window-add', window: '@3' },
    { type: 'other', line: '%unlinked-window-add @4' },
    { type: 'window-close', window: '@4' },
    { type: 'window-close', window: '@5' },
    { type: 'session-changed', session: '$1', name: 'my name' },
    { type: 'subscription-changed', name: 'sm', pane: '%0', value: '0 0 a : b' },
    { type: 'output', pane: '%7', data: Buffer.from('a\x1bb : c') },
    { type: 'exit', reason: 'server exited' },
    { type: 'other', line: '%something-new x' },
  ]);
});

const escapeOctal = (data: Uint8Array): Buffer =>
  Buffer.concat(
    [...data].map((byte) =>
      byte < 32 || byte === 0x5c
        ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`)
        : Buffer.from([byte]),
    ),
  );

test('any bytes survive the octal escaping, cut into chunks anywhere', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(40), { minLength: 1 }), (data, cuts) => {
      expect(unescapeOctal(escapeOctal(data))).toEqual(Buffer.from(data));
      const wire = Buffer.concat([
        Buffer.from('%output %1 '),
        escapeOctal(data),
        Buffer.from('\n%begin 1 2 1\nok\n%end 1 2 1\n'),
      ]);
      const parser = new ControlParser();
      const events: ControlEvent[] = [];
      for (let at = 0, i = 0; at < wire.length; i++) {
        const size = 1 + (cuts[i % cuts.length] as number);
        events.push(...parser.feed(wire.subarray(at, at + size)));
        at += size;
      }
      expect(events).toMatchObject([
        { type: 'output', pane: '%1', data: Buffer.from(data) },
        { type: 'block', ok: true },
      ]);
    }),
  );
});
