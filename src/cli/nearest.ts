// The candidate that a mistyped word most likely meant, if one is close enough.
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.replace(/^-+/, '').length / 3)) + 1;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    if (steps < least) {
      best = candidate;
      least = steps;
    }
  }
  return best ?? (word.length > 1 ? candidates.find((candidate) => candidate.startsWith(word)) : undefined);
}

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let steps = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        steps = Math.min(steps, at(row - 2, column - 2) + 1);
      current.push(steps);
    }
  }
  return at(from.length, to.length);
}
