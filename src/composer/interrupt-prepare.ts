// What is made sure of before a Ctrl-C: that there is a draft, that all of it shows, and where it ends.
import { rowText } from '../terminal/cells.js';
import type { InterruptProfile } from './box-profile.js';
import { boxEnd, readBox } from './interrupt-box.js';
import { draftIn, type Scene, takeScene } from './interrupt-reading.js';
import { strokeSeen } from './interrupt-stroke.js';
import type { Look } from './look.js';
import type { SwapTools } from './protocol.js';

// The caret at the end of its line tells whether blanks are hidden there, and that there is a draft at all.
export async function toLineEnd(
  tools: SwapTools,
  scene: Scene,
  look: Look,
  { exitsWhenEmpty }: InterruptProfile,
): Promise<{ scene: Scene; caretAtEnd: boolean }> {
  const { lineKeys } = tools.profile;
  const unmoved = { scene, caretAtEnd: false };
  const mayBeExact = draftIn(scene, look, boxEnd(scene.view, look), true).exact;
  const needsProof = exitsWhenEmpty && isAtStart(scene, look);
  if (!lineKeys || !(mayBeExact || needsProof)) return unmoved;
  const injection = await strokeSeen(tools, [{ keys: [lineKeys.end.key] }], 'reading', scene.view);
  if (injection.outcome === 'refused') return unmoved;
  // A caret that was there already does not move: its screen may lag so long, and there is nothing else to wait for.
  await tools.pane.waitForGap(lineKeys.echoMs, 2 * lineKeys.echoMs);
  const moved = await takeScene(tools.pane, look, () => tools.view());
  return moved ? { scene: moved, caretAtEnd: true } : unmoved;
}

export const isAtStart = ({ view, top }: Scene, look: Look): boolean =>
  view.cursor.y === top && view.cursor.x <= look.column;

// The box shows something in the place of a long paste, which no capture can tell.
export function showsPlaceholder({ view, top }: Scene, look: Look, placeholder: string | undefined): boolean {
  if (placeholder === undefined) return false;
  const pattern = new RegExp(placeholder, 'u');
  const rows = view.rows.slice(top, boxEnd(view, look)).map((row) => rowText(row).trim());
  return [readBox(view, look) ?? '', ...rows].some((text) => pattern.test(text));
}
