// Writing to people: colour where it is wanted, and nothing that could drive their terminal.
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Style = keyof typeof STYLES;

// FORCE_COLOR wins over NO_COLOR, as it does in Node itself.
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

export const paint = (style: Style | undefined, text: string): string =>
  style && text && wantsColour(process.stdout) ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;

export const say = (text = ''): void => void process.stdout.write(`${text}\n`);

// For people only: what a script should not have to skip goes to stderr.
export const note = (text: string): void => void process.stderr.write(`${text}\n`);

export const sayJson = (value: unknown): void => say(JSON.stringify(value, null, 2));

// Control characters made visible, so that a message cannot drive the terminal that shows it, nor show itself in another order.
export const visible = (text: string): string =>
  text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
    .replace(/[\x00-\x08\x0b-\x1f]/g, (char) => String.fromCodePoint(0x2400 + char.charCodeAt(0)))
    .replace(/[\x7f-\x9f]/g, '␡');

export const oneLine = (text: string): string =>
  visible(
    text
      .trim()
      .replace(/\s*[\r\n]+\s*/g, ' ⏎ ')
      .replaceAll('\t', ' '),
  );

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
