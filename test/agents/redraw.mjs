// A fake agent: an input box that repaints itself all the time.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(['--redraw', '40', ...process.argv.slice(2)])).run();
