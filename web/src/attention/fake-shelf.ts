// What the tabs of a browser share, for tests.
import type { Shelf } from './memory.js';

export class FakeShelf extends Map<string, string> implements Shelf {
  get length(): number {
    return this.size;
  }
  key = (at: number): string | null => [...this.keys()][at] ?? null;
  getItem = (key: string): string | null => this.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.set(key, value);
  removeItem = (key: string): void => void this.delete(key);
}
