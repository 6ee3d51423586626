import path from 'node:path';

// A path is made whole here, because the daemon works in another folder; a name stays a name.
export const socketFrom = (socket: string | undefined): { socket?: string } =>
  socket === undefined ? {} : { socket: socket.includes('/') ? path.resolve(socket) : socket };
