// All mail: what waits, what was said, what was given up, and drafts that were taken from boxes.
import { Drafts } from '../drafts/drafts.js';
import { Tabs } from '../parts/tabs.js';
import { hrefOf, type MAIL_LISTS } from '../shell/route.js';
import { DeadLetters, History } from './history.js';
import { Queue } from './queue.js';

type List = (typeof MAIL_LISTS)[number];

const WORDS: Record<List, string> = {
  queue: 'Waiting',
  history: 'History',
  dead: 'Dead letters',
  drafts: 'Drafts',
};

export function MailPage({ list }: { list: List }) {
  return (
    <section className="page narrow" aria-labelledby="mail-head">
      <h1 id="mail-head">Mail</h1>
      <Tabs
        label="Mail"
        tabs={(Object.keys(WORDS) as List[]).map((each) => ({
          href: hrefOf({ page: 'mail', list: each }),
          label: WORDS[each],
          isOn: each === list,
        }))}
      />
      {list === 'queue' && <Queue />}
      {list === 'history' && <History />}
      {list === 'dead' && <DeadLetters />}
      {list === 'drafts' && <Drafts />}
    </section>
  );
}
