// A fake agent: an input box that an approval dialog can replace (SIGUSR1 or --dialog-after MS), as every box has it.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(parseBoxOptions(process.argv.slice(2))).run();
