// The keys, in a list.
import { Fragment } from 'react';
import { Dialog } from '../parts/dialog.js';
import { KEYS } from './keys.js';

export const Help = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl className="facts">
      {KEYS.map(([key, does]) => (
        <Fragment key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
  </Dialog>
);
