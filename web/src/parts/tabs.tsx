// Links between the parts of a page.
export interface Tab {
  href: string;
  label: string;
  isOn: boolean;
  count?: number;
}

export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map(({ href, label: word, isOn, count = 0 }) => (
      <a key={href} href={href} aria-current={isOn ? 'page' : undefined}>
        {word}
        {count > 0 && <span className="count">{count}</span>}
      </a>
    ))}
  </nav>
);
