// A fake agent: an input box with the options of lib/options.mjs.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(process.argv.slice(2))).run();
