// Turning data into tmux's command language, so that no text is ever read as a command, a format or a glob.

// An argument in double quotes. Everything that tmux's parser might act on becomes octal.
export function quote(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
  const out: string[] = ['"'];
  let plainFrom = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (isPlain(byte)) continue;
    if (byte === 0)
      throw new RangeError('tmux cannot take a NUL byte in an argument; send it with send-keys -H');
    if (plainFrom < i) out.push(latin1(bytes, plainFrom, i));
    out.push(`\\${byte.toString(8).padStart(3, '0')}`);
    plainFrom = i + 1;
  }
  out.push(latin1(bytes, plainFrom, bytes.length), '"');
  return out.join('');
}

// Space to tilde, without what double quotes leave special: " # $ \ ~
const isPlain = (byte: number): boolean =>
  byte >= 0x20 && byte < 0x7e && byte !== 0x22 && byte !== 0x23 && byte !== 0x24 && byte !== 0x5c;

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');

// Literal text inside a format `#{…}`: the characters that formats act on are doubled or hashed.
export const escapeFormat = (text: string): string => text.replace(/[#,}]/g, (char) => `#${char}`);

// Literal text inside `#{C:…}`, which is a glob and a format at once.
export const escapeGlob = (text: string): string =>
  escapeFormat(text.replace(/[\\*?[\]]/g, (char) => `\\${char}`));

// Formats know only a two-armed `&&`; this nests any number.
export function allOf(conditions: readonly string[]): string {
  return (
    conditions.reduceRight(
      (rest, condition) => (rest === '' ? condition : `#{&&:${condition},${rest}}`),
      '',
    ) || '1'
  );
}

export const equals = (format: string, value: string | number): string =>
  `#{==:#{${format}},${escapeFormat(String(value))}}`;
