// A key that nobody else has: what is sent twice with it is stored once.
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `dash-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
