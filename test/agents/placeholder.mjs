// A fake agent: an input box with a dim hint while it is empty.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

new BoxApp(
  parseBoxOptions(['--placeholder', 'Type your message or @path/to/file', ...process.argv.slice(2)]),
).run();
