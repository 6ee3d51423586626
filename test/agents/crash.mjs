// A fake agent: an input box that dies on its first paste, on its first Enter, or after a time.
import { BoxApp } from './lib/box-app.mjs';
import { parseBoxOptions } from './lib/options.mjs';

const CODE = 7;

class CrashApp extends BoxApp {
  handle(event) {
    const happened = event.type === 'key' ? event.name : event.type;
    if (happened === this.options.on) process.exit(CODE);
    super.handle(event);
  }
}

const options = parseBoxOptions(process.argv.slice(2), { on: { type: 'string' }, after: { type: 'string' } });
const after = options.num('after', undefined);
// With a time given nothing else kills it unless it was asked for.
options.on = options.values.on ?? (after === undefined ? 'enter' : 'none');
const app = new CrashApp(options);
app.run();
if (after !== undefined) setTimeout(() => process.exit(CODE), after);
