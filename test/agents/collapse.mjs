// A fake agent: an input box that shows a long paste as one short label.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(['--collapse', '200', ...process.argv.slice(2)])).run();
