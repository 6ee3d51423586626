// Copilot's side of its door: puts our messages into Copilot's queue, and says what Copilot shows of them and of its turns.
// It declares no permission handler: it never answers for a person.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { joinSession } from '@github/copilot-sdk/extension';
import { idsIn, Mailbox } from '../../../extension/mailbox.mjs';
import { Asks } from '../../asks.mjs';
import { paneProcess } from '../../pane-process.mjs';
import { takenIn } from '../../record.mjs';
import { Turns } from '../../turns.mjs';

// Its record is behind what it does by less than this.
const RECORDED_MS = 1000;

const door = process.env.SM_DOOR;
const pid = door && paneProcess();
if (pid) await run(new Mailbox(path.join(door, String(pid))));

async function run(box) {
  const session = await joinSession({});
  const turns = new Turns((entry) => box.say(entry));
  const asks = new Asks(
    async () => (await session.rpc.permissions.pendingRequests()).items.map(({ requestId }) => requestId),
    (what) => turns.asks(what),
  );
  // What Copilot has and has not shown.
  const handed = new Set(box.held().map(({ id }) => id));
  // On its way into Copilot's queue.
  let sending;
  let isDelivering = false;
  // How often something was sent or begun: what came back can be told only while nothing does.
  let moves = 0;

  session.on((event) => {
    asks.hear(event);
    // What a helper of its own does is no turn of its own.
    if (event.agentId !== undefined) return;
    if (event.type === 'user.message' || event.type === 'assistant.turn_start') moves++;
    if (event.type === 'user.message') {
      const turn = turns.prompted(event.data);
      for (const id of idsIn(event.data.content ?? ''))
        letGo(id, { kind: 'received', turn, evidence: 'extension: user.message' });
    } else turns.hear(event);
    if (event.type === 'session.idle') void reconcile();
  });

  async function deliver() {
    for (const id of box.stops()) await stop(id);
    if (isDelivering) return;
    isDelivering = true;
    for (let letter = box.claim(); letter; letter = box.claim()) await hand(letter);
    isDelivering = false;
  }

  // One after the other: the next goes when Copilot has this one in its queue.
  async function hand({ id, text, mode }) {
    handed.add(id);
    sending = id;
    moves++;
    const isNow = mode !== 'sequential' && turns.isRunning;
    box.say({ kind: 'handed', id, ...(!isNow && turns.isRunning && { behind: turns.current }) });
    try {
      await session.send({ prompt: text, mode: isNow ? 'immediate' : 'enqueue' });
      if (handed.has(id)) box.say({ kind: 'queued', id });
      sending = undefined;
    } catch {
      sending = undefined;
      await reconcile();
    }
  }

  function letGo(id, entry) {
    handed.delete(id);
    box.settle(id, entry);
  }

  // What Copilot neither shows nor has in its queue when nothing runs, nor has recorded as taken while this extension was not
  // loaded, it has let go of. Where something was sent or begun meanwhile, the end of that tells.
  async function reconcile() {
    const before = moves;
    const isStill = () => moves === before && !turns.isRunning;
    if (!isStill() || (await missing([...handed])).length === 0) return;
    await delay(RECORDED_MS);
    const gone = await missing([...handed]);
    const taken = await takenIn(box.records(), gone);
    for (const id of gone.filter((each) => isStill() && handed.has(each)))
      if (taken.has(id))
        letGo(id, { kind: 'received', turn: taken.get(id), evidence: 'events.jsonl: user.message' });
      else letGo(id, { kind: 'returned', reason: 'Copilot has let go of it: it is not in its queue' });
  }

  // Those that are not in its queue; none when it cannot be asked.
  async function missing(ids) {
    if (ids.length === 0) return [];
    const pending = await session.rpc.queue.pendingItems().catch(() => undefined);
    if (!pending) return [];
    const texts = [...pending.items.map(({ displayText }) => displayText), ...pending.steeringMessages];
    const queued = new Set(texts.flatMap((text) => idsIn(text)));
    return ids.filter((id) => id !== sending && !queued.has(id));
  }

  // Not while a person is asked something: that would answer for them. Not while anything is queued: Copilot has been seen to
  // hang after that, with its queue held. Then it is told nothing, and what is urgent goes into the running turn.
  async function stop(id) {
    const isStopped = await tryToStop().catch(() => false);
    box.say({ kind: isStopped ? 'stopped' : 'not_stopped', id });
  }

  async function tryToStop() {
    if (await asks.look()) return false;
    const { items, steeringMessages } = await session.rpc.queue.pendingItems();
    if (items.length > 0 || steeringMessages.length > 0) return false;
    const { interrupted } = await session.rpc.interruptMainTurn({ flushQueued: true });
    // Nothing runs, though its end was not told.
    if (!interrupted) turns.hear({ type: 'session.idle', data: { aborted: true } });
    return true;
  }

  box.hello(session.workspacePath && path.join(session.workspacePath, 'events.jsonl'));
  // Copilot ends it when Copilot itself has ended.
  process.once('exit', () => box.say({ kind: 'bye' }));
  await reconcile();
  box.open(() => void deliver());
  await deliver();
}
