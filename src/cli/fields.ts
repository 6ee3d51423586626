// Named values below each other.
import { paint, say } from './print.js';

export function sayFields(fields: [string, string | undefined][]): void {
  const shown = fields.filter((field): field is [string, string] => field[1] !== undefined);
  const wide = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) say(`  ${paint('dim', name.padEnd(wide))}  ${value}`);
}
