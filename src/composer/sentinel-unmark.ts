// Takes the marks out again after a whole reading: the box is as it was, the caret too.
import type { SwapStep } from './protocol.js';
import { type Hand, inWrites, times } from './sentinel-hand.js';
import { MARK_LENGTH } from './sentinel-marks.js';
import type { Reading } from './sentinel-reader.js';

export async function unmark(
  hand: Hand,
  step: SwapStep,
  { lines, extra, text, caret, at }: Reading,
): Promise<boolean> {
  const { start, end, backspace } = hand.lineKeys;
  const erase = times(MARK_LENGTH, backspace);
  const pass = times(MARK_LENGTH, 'Right');
  const up = [start.key, ...times(lines.length - 1, 'Left', start.key), ...pass];
  const presses = at === 'first' ? [...erase] : up;
  lines.forEach((_, i) => {
    presses.push(...erase, end.key, ...erase);
    if (i < lines.length - 1) presses.push('Right', ...pass);
  });
  presses.push(...times(2 * MARK_LENGTH * extra, backspace));
  if (caret === text.length) presses.push(...erase);
  await hand.press(inWrites(presses), step);
  if (caret < text.length) {
    await hand.until((view) => hand.visibleMarks(view).length <= 1 || undefined);
    if (!(await hand.removeCaretMark(step))) return false;
  }
  return (await hand.until((view) => hand.visibleMarks(view).length === 0 || undefined)) ?? false;
}
