// Waiting until an agent is heard to rest.
import type { Doors } from './doors.js';
import type { Session } from './session.js';

// True once its agent is known to do nothing; false after that long.
export function whenIdle(doors: Doors, session: Session, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isIdle: boolean): void => {
      clearTimeout(timer);
      heard.dispose();
      resolve(isIdle);
    };
    const heard = doors.onEvent(
      ({ session: other, event }) =>
        other === session && event.kind === 'status' && event.status.state === 'idle' && finish(true),
    );
    const timer = setTimeout(() => finish(false), ms);
  });
}
