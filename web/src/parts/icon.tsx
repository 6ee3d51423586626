// Small pictures for buttons; what they mean is said by the button.
const PATHS = {
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  back: 'M10 3L5 8l5 5',
  close: 'M4 4l8 8M12 4l-8 8',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
} as const;

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg className="icon-svg" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
