// Comparing secrets in a time that tells nothing of them.
import { createHash, timingSafeEqual } from 'node:crypto';

// Whether what is given is that secret.
export function isSecret(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => timingSafeEqual(digest(given), expected);
}

// Equal lengths for the comparison, whatever was given.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
