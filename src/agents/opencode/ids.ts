// The id under which OpenCode keeps a message of ours: told from any other, and ours can be read back from it.

const OURS = /^msg_[0-9a-f]{12}([0-9a-f]{12})sm$/;

// Its ids begin with 48 bits of time, so that they sort by it; ours end with the id of our message.
const withTime = (kind: 'msg' | 'prt', id: string, at: number): string =>
  `${kind}_${((BigInt(at) * 0x1000n) & 0xffffffffffffn).toString(16).padStart(12, '0')}${id}sm`;

export interface Names {
  message: string;
  // Without a name of its own the text would be added once more whenever the message is posted again.
  part: string;
}

export const namesOf = (id: string, at: number): Names => ({
  message: withTime('msg', id, at),
  part: withTime('prt', id, at),
});

export const ourIdIn = (messageId: string): string | undefined => OURS.exec(messageId)?.[1];
