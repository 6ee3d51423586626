// How a message is to go: its mode in sight, the rest folded away.
import type { Mode, PastDraft } from '../../../src/api/types.js';
import type { Letter } from './letter.js';

const MODES: readonly { mode: Mode; label: string; about: string }[] = [
  { mode: 'sequential', label: 'After its turn', about: 'after the running turn' },
  { mode: 'important', label: 'Important', about: 'inside the running turn, where it takes input' },
  { mode: 'urgent', label: 'Urgent', about: 'interrupts the running turn' },
];

const PAST_DRAFT: readonly { value: PastDraft | ''; label: string }[] = [
  { value: '', label: 'as its session says' },
  { value: 'auto', label: 'when they pause' },
  { value: 'now', label: 'at once' },
  { value: 'stale', label: 'when nobody has touched it for long' },
  { value: 'never', label: 'never: it waits' },
];

interface Props {
  letter: Letter;
  onChange: (part: Partial<Letter>) => void;
}

export function LetterOptions({ letter, onChange }: Props) {
  return (
    <div className="letter-options">
      <fieldset className="modes">
        <legend className="off-screen">When it arrives</legend>
        {MODES.map(({ mode, label, about }) => (
          <label key={mode} title={about} className={letter.mode === mode ? 'mode on' : 'mode'}>
            <input
              type="radio"
              name="mode"
              checked={letter.mode === mode}
              onChange={() => onChange({ mode })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>Deadline and options</summary>
        <div className="option-grid">
          <label>
            Not later than
            <input
              value={letter.deadline}
              placeholder="5m, 1h30m"
              onChange={(event) => onChange({ deadline: event.target.value })}
            />
          </label>
          <label>
            Past a draft in the box
            <select
              value={letter.pastDraft}
              onChange={(event) => onChange({ pastDraft: event.target.value as PastDraft | '' })}
            >
              {PAST_DRAFT.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <Check
            label="only once the agent is idle"
            checked={letter.isWhenIdle}
            onChange={(isWhenIdle) => onChange({ isWhenIdle })}
          />
          <Check
            label="tell me when its turn has ended"
            checked={letter.isNotified}
            onChange={(isNotified) => onChange({ isNotified })}
          />
          <Check
            label="as a command, without a header"
            checked={letter.isCommand}
            onChange={(isCommand) => onChange({ isCommand })}
          />
          <Check
            label="even over a draft that cannot be saved (urgent)"
            checked={letter.isForced}
            isDisabled={letter.mode !== 'urgent'}
            onChange={(isForced) => onChange({ isForced })}
          />
        </div>
      </details>
    </div>
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  isDisabled?: boolean;
  onChange: (checked: boolean) => void;
}

const Check = ({ label, checked, isDisabled = false, onChange }: CheckProps) => (
  <label className="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    {label}
  </label>
);
