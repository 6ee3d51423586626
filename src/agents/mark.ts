// The id by which a message is known in whatever an agent shows of it: the end of its header line.
const HEADER = /via sm send\] #([0-9a-f]{12})(?![0-9a-f])/g;

export const idsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(HEADER)].flatMap(([, id]) => (id ? [id] : []))),
];
