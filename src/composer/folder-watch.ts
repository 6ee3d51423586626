// Waits for files without looking at them again and again.
import fs from 'node:fs';

// What is found once something in a folder changes, as soon as it is; undefined when the time is over.
export function until<T>(
  folder: string,
  find: () => T | undefined,
  ms: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const first = find();
    if (first !== undefined) return resolve(first);
    const finish = (value: T | undefined): void => {
      watcher.close();
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(value);
    };
    const stop = (): void => finish(undefined);
    const look = (): void => {
      const found = find();
      if (found !== undefined) finish(found);
    };
    const watcher = fs.watch(folder, look);
    const timer = setTimeout(stop, ms);
    signal?.addEventListener('abort', stop);
    look();
  });
}
