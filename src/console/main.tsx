// The page's first line: styles, theme, and the app into its root.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { openPageTokens } from './page-tokens.ts';
import { applyTheme } from './shell/theme.ts';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';
import './style/ui.css';

applyTheme();
// At once: what comes next in the address may come before the first picture is drawn.
const session = openPageTokens();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App first={session} />
  </StrictMode>,
);
