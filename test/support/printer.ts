// A session whose program prints what it is given, byte for byte.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Session } from '../../src/api/types.js';
import type { World } from './world.js';

export interface Printer {
  session: Session;
  print(text: string | Buffer): void;
  end(): void;
}

let printers = 0;
export async function startPrinter(world: World, { width = 80, height = 24 } = {}): Promise<Printer> {
  const fifo = path.join(world.folder, `fifo-${++printers}`);
  execFileSync('mkfifo', [fifo]);
  const handle = fs.openSync(fifo, 'r+');
  const session = await world.client.start({
    name: `printer-${printers}`,
    socket: world.socket,
    cwd: world.folder,
    command: ['sh', '-c', `stty raw -echo; exec cat ${fifo}`],
    width,
    height,
  });
  return {
    session,
    print: (text) => {
      const bytes = Buffer.from(text as string);
      for (let at = 0; at < bytes.length; )
        at += fs.writeSync(handle, bytes, at, Math.min(4096, bytes.length - at));
    },
    end: () => fs.closeSync(handle),
  };
}
