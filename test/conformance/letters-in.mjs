// The messages in a text that an agent took: those that go in one delivery stand below each other, each with its header.
const BETWEEN = /\n\n(?=\[Input from: [^\n]* via sm send\] #[0-9a-f]{12}\n)/;

export const lettersIn = (text) => text.split(BETWEEN);
