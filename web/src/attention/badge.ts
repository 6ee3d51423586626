// How many need the person, in the title and on the icon of the tab.
const TITLE = 'Suremail';
const INK = '#24476b';
const STAMP = '#b3261e';

export function showCount(count: number, place: string | null): void {
  const title = place ? `${place} · ${TITLE}` : TITLE;
  document.title = count > 0 ? `(${count}) ${title}` : title;
  const icon = document.querySelector<HTMLLinkElement>('#favicon');
  if (icon)
    icon.href = count > 0 ? `data:image/svg+xml,${encodeURIComponent(stamped(count))}` : '/favicon.svg';
}

const stamped = (count: number): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="2" y="6" width="28" height="20" rx="3" fill="${INK}"/><path d="M4 9l12 9 12-9" fill="none" stroke="#f6f4ee" stroke-width="2.4"/>
<circle cx="22" cy="21" r="10" fill="${STAMP}"/><text x="22" y="26" font-family="sans-serif" font-size="15" font-weight="700" text-anchor="middle" fill="#fff">${count > 9 ? '9+' : count}</text></svg>`;
