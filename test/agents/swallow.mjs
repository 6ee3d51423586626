// A fake agent: an input box that turns an Enter right after text into a newline.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(['--enter-gap', '60', ...process.argv.slice(2)])).run();
