// pi's side of its door: hands our messages to pi as user messages, and says what pi shows of them and of its turns.
import path from 'node:path';
import { idsIn, Mailbox } from '../extension/mailbox.mjs';
import { takeOut } from './box.mjs';
import { Turns } from './turns.mjs';

// A compaction that failed says nothing either.
const COMPACTION_MS = 180_000;

export default function suremail(pi) {
  const door = process.env.SM_DOOR;
  if (!door) return;
  const box = new Mailbox(path.join(door, String(process.pid)));
  const turns = new Turns((entry) => box.say(entry));
  // What pi has and has not shown, by id.
  const handed = new Map();
  let ctx;
  // Handed over, and not yet known to be queued or begun: other extensions may take any time with it before pi does either.
  // Two at once would collide inside pi, and one be lost.
  let pending;
  let compaction;
  let stopKeys;

  function deliver() {
    for (const id of box.stops()) {
      if (ctx && !ctx.isIdle()) ctx.abort();
      box.say({ kind: 'stopped', id });
    }
    if (!ctx || pending || compaction) return;
    const letter = box.claim();
    if (!letter) return;
    const reason = whyNot();
    if (reason !== undefined) {
      letGo(letter.id, { kind: 'refused', reason });
      return void setImmediate(deliver);
    }
    const isFirst = !ctx.hasPendingMessages();
    const mine = { ...letter, isInQueue: false };
    handed.set(letter.id, mine);
    box.say({ kind: 'handed', id: letter.id });
    pending = letter.id;
    stopKeys ??= ctx.ui.onTerminalInput(() => void setImmediate(reconcile));
    const deliverAs = letter.mode === 'important' ? 'steer' : 'followUp';
    pi.sendUserMessage(letter.text, { deliverAs });
    setImmediate(() => {
      if (pending !== letter.id) return;
      box.say({ kind: 'queued', id: letter.id });
      if (!ctx || ctx.isIdle() || !ctx.hasPendingMessages()) return;
      // What was there before may be all that is there.
      mine.isInQueue = isFirst;
      settled(letter.id);
    });
  }

  // An idle pi without them drops a message with no word to us. A version that does not tell is given it.
  function whyNot() {
    if (!ctx.isIdle()) return undefined;
    if ('model' in ctx && !ctx.model) return 'pi has no model';
    const hasKey = ctx.modelRegistry?.hasConfiguredAuth?.(ctx.model);
    return hasKey === false ? 'pi has no key for its model' : undefined;
  }

  function settled(id) {
    if (pending !== id) return;
    pending = undefined;
    setImmediate(deliver);
  }

  function letGo(id, entry) {
    handed.delete(id);
    box.settle(id, entry);
    if (handed.size > 0) return;
    stopKeys?.();
    stopKeys = undefined;
  }

  // A person's interrupt, or their key for it, drops pi's queue into the input box. Ours is taken out of it again.
  function reconcile() {
    if (!ctx) return;
    for (const { id, text, isInQueue } of handed.values()) {
      const draft = ctx.ui.getEditorText();
      const rest = takeOut(draft, text);
      if (rest !== undefined) {
        ctx.ui.setEditorText(rest);
        letGo(id, { kind: 'returned', reason: 'pi dropped it from its queue into the input box; taken out' });
        settled(id);
      } else if (isInQueue && !idsIn(draft).includes(id) && ctx.isIdle() && !ctx.hasPendingMessages())
        letGo(id, { kind: 'returned', reason: 'pi has let go of it' });
    }
  }

  function compacts(event) {
    const over = () => {
      clearTimeout(compaction);
      compaction = undefined;
      setImmediate(deliver);
    };
    if (event === undefined) return over();
    clearTimeout(compaction);
    compaction = setTimeout(over, COMPACTION_MS);
    compaction.unref?.();
    event.signal?.addEventListener('abort', over, { once: true });
  }

  pi.on('session_start', (_event, context) => {
    ctx = context;
    // Of an earlier load of this extension in the same process.
    for (const letter of box.held()) handed.set(letter.id, { ...letter, isInQueue: true });
    box.hello();
    turns.report(ctx.isIdle() ? 'idle' : 'busy');
    box.open(deliver);
    deliver();
  });
  pi.on('session_shutdown', ({ reason }) => {
    box.close();
    ctx = undefined;
    clearTimeout(compaction);
    pending = undefined;
    stopKeys?.();
    turns.close();
    // Its queue goes with the conversation.
    if (reason === 'new' || reason === 'resume' || reason === 'fork')
      for (const id of [...handed.keys()])
        letGo(id, { kind: 'returned', reason: 'its conversation was replaced' });
    if (reason === 'quit') box.say({ kind: 'bye' });
  });
  pi.on('agent_start', (_event, context) => {
    ctx = context;
    if (compaction) compacts();
    turns.started();
  });
  pi.on('message_start', ({ message }) => {
    if (message.role !== 'user') return;
    const turn = turns.prompted();
    for (const id of idsIn(wordsOf(message))) {
      letGo(id, { kind: 'received', turn, evidence: 'extension: message_start' });
      settled(id);
    }
  });
  pi.on('turn_end', ({ message, toolResults }) =>
    turns.answered({ text: wordsOf(message), how: message.stopReason, goesOn: toolResults.length > 0 }),
  );
  pi.on('agent_end', () => {
    // First: what comes back goes out again before what has waited for the end.
    reconcile();
    turns.ended();
    setImmediate(reconcile);
  });
  pi.on('session_before_compact', (event) => void compacts(event));
  pi.on('session_compact', () => void compacts());
}

function wordsOf({ content }) {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
