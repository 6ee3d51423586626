// What a program that is started from a shell gets of that shell's environment.

// The program is found, and finds others, as from this shell.
export const shellEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> => ({
  PATH: env.PATH ?? '',
  ...ownEditor(env),
});

// Stays behind the editor that hands drafts over. Inside a session that one is set already, and must not call itself.
function ownEditor({ VISUAL, EDITOR, SM_EDITOR }: NodeJS.ProcessEnv): Record<string, string> {
  const editor = [VISUAL, EDITOR, SM_EDITOR].find((each) => each && !each.endsWith('/sm-editor'));
  return editor === undefined ? {} : { VISUAL: editor };
}
