// A window made as large as somebody who looks at it from outside of tmux asked for, and given back as it was.
import type { Pane } from './pane.js';
import { quote } from './quote.js';

// In the window: its size before, and by which rule it had it. There also when we are gone.
const BEFORE = '@sm-fit';

export type Fitted = 'fitted' | 'other_panes';

export async function fitWindow(pane: Pane, columns: number, rows: number): Promise<Fitted> {
  const at = `-t ${pane.id}`;
  const before = `set-option -w ${at} -F ${BEFORE} "#{window_width} #{window_height} #{window-size}"`;
  const blocks = await pane.link.list([
    `if-shell -F ${at} "#{==:#{window_panes},1}" { if-shell -F ${at} "#{${BEFORE}}" { } { ${before} } ; ` +
      `resize-window ${at} -x ${columns} -y ${rows} ; display-message -p fitted } { display-message -p other_panes }`,
  ]);
  return blocks.some(({ lines }) => lines.some((line) => line.equals(FITTED))) ? 'fitted' : 'other_panes';
}

const FITTED = Buffer.from('fitted');

// Does nothing where nothing was fitted.
export async function unfitWindow(pane: Pane): Promise<void> {
  const [columns, rows, rule] = (await pane.format(`#{${BEFORE}}`)).split(' ');
  if (!Number(columns) || !Number(rows) || rule === undefined || !/^[a-z]+$/.test(rule)) return;
  const at = `-t ${pane.id}`;
  await pane.link.list([
    `resize-window ${at} -x ${columns} -y ${rows}`,
    `set-option -wu ${at} window-size`,
    `if-shell -F ${at} ${quote(`#{!=:#{window-size},${rule}}`)} { set-option -w ${at} window-size ${rule} }`,
    `set-option -wu ${at} ${BEFORE}`,
  ]);
}
