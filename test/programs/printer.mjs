// Prints what it is sent through a socket, byte for byte. Usage: printer.mjs SOCKET
import net from 'node:net';

net
  .createServer({ allowHalfOpen: true }, (peer) => {
    peer.on('data', (chunk) => process.stdout.write(chunk));
    // Answered once all of it is with the terminal.
    peer.on('end', () => process.stdout.write('', () => peer.end()));
  })
  .listen(process.argv[2]);
setInterval(() => {}, 1 << 30);
