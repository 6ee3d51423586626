// Named points in a delivery at which a test can end the daemon: what comes after one is what recovery has to find.
import fs from 'node:fs';
import type { SwapStep } from '../composer/index.js';
import type { MessageEvent } from './lifecycle.js';

// Before and after each write of what happened; with each key that goes with a step; around what a door is given; and while
// a person's keys wait. And around the writing of a signal.
export type FaultPoint =
  | `${'write' | 'written'}:${MessageEvent['kind']}`
  | `${'press' | 'pressed'}:${SwapStep}`
  | 'door:send'
  | 'door:sent'
  | 'keys:held'
  | 'keys:free'
  | 'keys:freed'
  | 'signal:write'
  | 'signal:written';

export type Fault = (point: FaultPoint) => void;

export const NO_FAULT: Fault = () => {};

// SM_FAULT_LOG=file: every point that is passed is written there. SM_FAULT_AT=point: ends there, as by kill -9.
export function faultFrom(env: NodeJS.ProcessEnv): Fault {
  const { SM_FAULT_AT: at, SM_FAULT_LOG: file } = env;
  if (!at && !file) return NO_FAULT;
  return (point) => {
    if (file) fs.appendFileSync(file, `${point}\n`);
    if (point === at) process.kill(process.pid, 'SIGKILL');
  };
}
