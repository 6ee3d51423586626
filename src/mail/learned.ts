// What trials have shown about the editing keys of programs without a profile, remembered by program and version.
import fs from 'node:fs';
import type { LineKeys } from '../composer/index.js';
import { programFile, type Session } from '../sessions/index.js';
import { metaStep, readMeta, type Step, type Store } from '../store/index.js';

export type Lesson = { kind: 'keys'; lineKeys: LineKeys } | { kind: 'unsupported'; reason: string };

// A program file that was replaced is another version.
export async function lessonKey({ program, host }: Session): Promise<string | undefined> {
  if (!program || host !== null) return undefined;
  try {
    const found = await programFile(program);
    if (found === null) return undefined;
    const file = fs.realpathSync(found);
    const { size, mtimeMs } = fs.statSync(file);
    return `keys ${file} ${size} ${Math.round(mtimeMs)}`;
  } catch {
    return undefined;
  }
}

export function readLesson(store: Store, key: string): Lesson | undefined {
  const value = readMeta(store.read, key);
  return value === undefined ? undefined : (JSON.parse(value) as Lesson);
}

export const lessonStep = (key: string, lesson: Lesson): Step => metaStep(key, JSON.stringify(lesson));
