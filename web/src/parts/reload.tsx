// A button that loads the page anew, but only from a daemon that answers: a browser's own error page would be worse.
import { useVoice } from './say.js';

export function ReloadButton() {
  const { attempt } = useVoice();
  const reload = async (): Promise<void> => {
    const answer = await fetch('/', { cache: 'no-store' }).catch(() => undefined);
    if (!answer?.ok) throw new Error('the daemon does not answer: nothing was loaded');
    location.reload();
  };
  return (
    <button type="button" className="link" onClick={() => void attempt(reload)}>
      Load the page anew
    </button>
  );
}
