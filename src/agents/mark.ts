// The id by which a message is known in whatever an agent shows of it: the end of its header line.
const HEADER = 'via sm send\\] #([0-9a-f]{12})(?![0-9a-f])';

// Stands behind the header, in the same line, where the text itself comes by a hook: the agent has to be told where it is.
export const BELL = 'My message is in the hook context below';

const finder = (pattern: string): ((text: string) => string[]) => {
  const marks = new RegExp(pattern, 'g');
  return (text) => [...new Set([...text.matchAll(marks)].flatMap(([, id]) => (id ? [id] : [])))];
};

export const idsIn = finder(HEADER);

// Of messages whose text is there too, and of those that were only rung for.
export const textsIn = finder(`${HEADER}(?! ${BELL})`);
export const bellsIn = finder(`${HEADER} ${BELL}`);
