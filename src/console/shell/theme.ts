// Dark or light: what the system prefers, unless the person has chosen. The choice is stored and set on the root
// element, where style/theme.css looks for it.
import { useCallback, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const KEPT = 'earshot.theme';
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

function kept(): Theme {
  const found = localStorage.getItem(KEPT);
  return found === 'light' || found === 'dark' ? found : 'system';
}

export function applyTheme(theme: Theme = kept()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): { theme: Theme; cycle: () => void } {
  const [theme, setTheme] = useState(kept);
  const cycle = useCallback(() => {
    const next = NEXT[theme];
    if (next === 'system') localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, next);
    applyTheme(next);
    setTheme(next);
  }, [theme]);
  return { theme, cycle };
}
