// Who runs this command: the same for every client of the daemon.
export { type From, type Pane, paneFrom, senderFrom, threadsFrom } from '../api/sender.js';
