// Renews docs/demo.png: runs the demo in a tmux server of its own, takes its screen with styles, and has Chromium draw it.
// Run by hand after the demo has changed: node scripts/picture.mjs [chromium]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const picture = path.join(root, 'docs/demo.png');
const browser = process.argv[2] ?? 'chromium';
const COLUMNS = 80;
const FONT = { size: 14, row: 16 };
const MARGIN = 22;
const DEMO_SECONDS = 90;

const COLOURS = { 31: '#f47067', 32: '#8ddb8c', 33: '#e5c07b', 34: '#6cb6ff', 35: '#dcbdfb', 36: '#76c7d6' };
const PAPER = '#16191f';
const INK = '#d5dae1';
const FAINT = '#7d8590';

// Rows of text with SGR sequences as HTML; tmux carries a style on from row to row, so this does too.
function ansiToHtml(text) {
  let style = {};
  return text.split('\n').map((row) => {
    let html = '';
    for (const [, codes, plain] of row.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      if (plain === undefined) style = codes.split(';').map(Number).reduce(applyCode, style);
      else html += `<span style="${css(style)}">${escapeHtml(plain)}</span>`;
    }
    return { html, plain: row.replace(/\x1b\[[\d;]*m/g, '') };
  });
}

function applyCode(style, code) {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  return { ...style, colour: COLOURS[code] ?? style.colour };
}

const css = ({ bold, dim, colour }) =>
  `${bold ? 'font-weight:bold;color:#fff;' : ''}${dim ? `color:${FAINT};` : ''}${colour ? `color:${colour};` : ''}`;

const escapeHtml = (text) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);

// The demo as it ran, without what a picture has no room for; a row of dots stands for what is left out.
function choose(rows) {
  const at = (start) => rows.findIndex(({ plain }) => plain.startsWith(start));
  const scene = (n) => rows.slice(at(`${n}. `), at(`${n + 1}. `));
  const beforeScreens = (some) =>
    some.slice(
      0,
      some.findIndex(({ plain }) => plain.startsWith('  ┌')),
    );
  const untilScreenEnds = (some) => some.slice(0, some.findIndex(({ plain }) => plain.startsWith('  └')) + 1);
  const proof = rows.slice(at('What was proved'), at('  For contrast'));
  const dots = { html: `<span style="color:${FAINT}">  …</span>` };
  const blank = { html: '' };
  const started = { html: `<span style="color:${FAINT}">$ </span>sm demo` };
  const talk = [
    ...beforeScreens(scene(3)),
    dots,
    blank,
    ...untilScreenEnds(scene(4)),
    blank,
    ...beforeScreens(scene(5)),
  ];
  return [started, blank, ...talk, dots, blank, ...proof];
}

function runDemo(folder) {
  const env = { ...process.env, SM_HOME: path.join(folder, 'home'), FORCE_COLOR: '1', LC_ALL: 'C.UTF-8' };
  const tmux = (...args) =>
    execFileSync('tmux', ['-u', '-S', path.join(folder, 'tmux'), ...args], { env, encoding: 'utf8' });
  const demo = `'${process.execPath}' '${path.join(root, 'dist/cli/main.js')}' demo; tmux wait-for -S over; sleep 9`;
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(COLUMNS), '-y', '60', demo);
  try {
    execFileSync('tmux', ['-S', path.join(folder, 'tmux'), 'wait-for', 'over'], {
      timeout: DEMO_SECONDS * 1000,
    });
    return tmux('capture-pane', '-p', '-e', '-S', '-').trimEnd();
  } finally {
    tmux('kill-server');
  }
}

function draw(rows, folder) {
  const page = path.join(folder, 'page.html');
  const width = Math.ceil(COLUMNS * FONT.size * 0.602) + 2 * MARGIN;
  const height = rows.length * FONT.row + 2 * MARGIN;
  const font = `${FONT.size}px/${FONT.row}px 'DejaVu Sans Mono', Menlo, monospace`;
  const body = `margin:0;padding:${MARGIN}px;background:${PAPER};color:${INK};font:${font};white-space:pre`;
  const text = rows.map(({ html }) => html).join('\n');
  fs.writeFileSync(page, `<!doctype html><meta charset="utf-8"><body style="${body}">${text}</body>`);
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--hide-scrollbars',
  ];
  const size = [`--window-size=${width},${height}`, '--force-device-scale-factor=1.5'];
  const profile = `--user-data-dir=${path.join(folder, 'profile')}`;
  execFileSync(browser, [...flags, ...size, profile, `--screenshot=${picture}`, `file://${page}`], {
    stdio: 'ignore',
  });
  console.log(
    `${path.relative(root, picture)}: ${rows.length} rows, ${Math.ceil(fs.statSync(picture).size / 1024)} KB`,
  );
}

build();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sm-picture-'));
try {
  draw(choose(ansiToHtml(runDemo(folder))), folder);
} finally {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
