// Getting in: with the code of a one-time link, the password, or the token.
import { type FormEvent, useEffect, useState } from 'react';
import { isSignedIn, signIn } from '../api/endpoints.js';
import { sentence } from '../api/request.js';
import { decodeSafely } from '../shell/route.js';

// A link leaves no trace in the address or the history, whether or not it lets in.
function takeCode(): string | undefined {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1];
  if (code !== undefined || location.pathname !== '/') history.replaceState(null, '', '/');
  return code && decodeSafely(code);
}

// Read once, before anything else looks at the address.
const code = takeCode();
let isCodeUsed = false;

export const hasCode = (): boolean => code !== undefined && !isCodeUsed;

export function SignInPage({ onSignedIn }: { onSignedIn: () => void }) {
  const [secret, setSecret] = useState('');
  const [kind, setKind] = useState<'password' | 'token'>('password');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(hasCode());

  useEffect(() => {
    if (code === undefined || isCodeUsed) return;
    isCodeUsed = true;
    const refused = async (error: unknown): Promise<void> => {
      // A used link, opened again in a browser that is in already.
      if (await isSignedIn().then(Boolean, () => false)) return onSignedIn();
      setProblem(`${sentence(error)}. A link works once, within a minute: "sm dash" makes another.`);
      setBusy(false);
    };
    void signIn({ code }).then(onSignedIn, refused);
  }, [onSignedIn]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(kind === 'password' ? { password: secret } : { token: secret });
      onSignedIn();
    } catch (error) {
      setProblem(sentence(error));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <h1 className="wordmark">Suremail</h1>
      {isBusy && problem === undefined && secret === '' ? (
        <p>Signing in …</p>
      ) : (
        <>
          <p>
            On the machine where it runs, <code>sm dash</code> opens this page signed in.
          </p>
          <form className="letter" onSubmit={(event) => void submit(event)}>
            <fieldset className="modes">
              <legend className="off-screen">Sign in with</legend>
              {(['password', 'token'] as const).map((each) => (
                <label key={each} className={kind === each ? 'mode on' : 'mode'}>
                  <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
                  {each}
                </label>
              ))}
            </fieldset>
            <label>
              {kind === 'password' ? 'Password' : 'Token'}
              <input
                type="password"
                autoComplete={kind === 'password' ? 'current-password' : 'off'}
                value={secret}
                onChange={(event) => setSecret(event.target.value)}
              />
            </label>
            <button type="submit" className="primary" disabled={isBusy || secret === ''}>
              Sign in
            </button>
          </form>
          {problem && (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
        </>
      )}
    </main>
  );
}
