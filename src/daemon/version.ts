// The version of the package that this file is part of.
import fs from 'node:fs';

export const readVersion = (): string =>
  (JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
