// A fake agent: an input box to which control keys are letters, as they are to simple ink inputs.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(['--letters', ...process.argv.slice(2)])).run();
