// Who runs this command, as far as the environment tells. The daemon decides what to make of it.
export interface Pane {
  socket: string;
  pane: string;
}

// $TMUX is "socket,pid,session", and the path of the socket may hold commas.
export function paneFrom(env: NodeJS.ProcessEnv): Pane | undefined {
  const socket = /^(.+),\d+,\d+$/.exec(env.TMUX ?? '')?.[1];
  return socket && /^%\d+$/.test(env.TMUX_PANE ?? '') ? { socket, pane: env.TMUX_PANE as string } : undefined;
}

export interface From {
  name?: string;
  session?: string;
  inherited?: true;
  pane?: Pane;
  threads?: string[];
}

// Codex runs its tools in a server that all its sessions share: pane and session there are those of whoever started it.
// What is right in each tool's shell is the conversation, and the one that its sub-agents belong to.
export function threadsFrom(env: NodeJS.ProcessEnv): string[] {
  const threads = [env.CODEX_THREAD_ID, env.CODEX_SESSION_ID];
  return [...new Set(threads.filter((thread): thread is string => !!thread))];
}

export function senderFrom(env: NodeJS.ProcessEnv, name?: string): From | undefined {
  const pane = paneFrom(env);
  const threads = threadsFrom(env);
  const from: From = {
    ...(name === undefined ? {} : { name }),
    ...(env.SM_SESSION ? { session: env.SM_SESSION, inherited: true } : {}),
    ...(pane ? { pane } : {}),
    ...(threads.length > 0 ? { threads } : {}),
  };
  return Object.keys(from).length ? from : undefined;
}
