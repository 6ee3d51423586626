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
  pane?: Pane;
}

export function senderFrom(env: NodeJS.ProcessEnv, name?: string): From | undefined {
  const pane = paneFrom(env);
  const from: From = {
    ...(name === undefined ? {} : { name }),
    ...(env.SM_SESSION ? { session: env.SM_SESSION } : {}),
    ...(pane ? { pane } : {}),
  };
  return Object.keys(from).length ? from : undefined;
}
