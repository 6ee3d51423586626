// Which version of an agent runs, and whether a protocol suits it.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Profile } from './profile.js';

const run = promisify(execFile);
const VERSION = /\d+\.\d+\.\d+(?:-[\w.]+)?/;
// Starting an agent only to ask for its version takes a second or two.
const ASK_MS = 10_000;

// From the package it was installed as; else the program is asked. Null when neither tells.
export async function readVersion(profile: Profile, executable: string | null): Promise<string | null> {
  if (executable === null) return null;
  let file: string;
  try {
    file = fs.realpathSync(executable);
  } catch {
    return null;
  }
  const packaged = profile.packages.length > 0 ? packageVersion(profile, file) : null;
  if (packaged !== null || profile.packages.length === 0) return packaged;
  try {
    const { stdout } = await run(file, ['--version'], { timeout: ASK_MS });
    return versionIn(stdout);
  } catch {
    return null;
  }
}

// What `--version` printed.
export const versionIn = (text: string): string | null => VERSION.exec(text)?.[0] ?? null;

// The nearest package.json above the file that names the agent's package, or a platform build of it.
function packageVersion({ packages }: Profile, file: string): string | null {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    try {
      const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name && version && packages.some((known) => name === known || name.startsWith(`${known}-`)))
        return VERSION.exec(version)?.[0] ?? null;
    } catch {
      // No package here, or not one of theirs: further up.
    }
  }
  return null;
}

// From a version on, but for some that are known to fail.
export interface VersionRange {
  since?: string;
  not?: readonly string[];
}

export function supports({ since, not = [] }: VersionRange, version: string | null): boolean {
  if (version !== null && not.includes(version)) return false;
  if (since === undefined) return true;
  return version !== null && compare(version, since) >= 0;
}

export const isBefore = (version: string, other: string): boolean => compare(version, other) < 0;

function compare(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split(/[.-]/).slice(0, 3).map(Number)) as [
    number[],
    number[],
  ];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
  return 0;
}
