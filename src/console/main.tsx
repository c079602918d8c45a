// The entry point of the page: styles, theme, and the app in its root element.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { openPageTokens } from './page-tokens.ts';
import { applyTheme } from './shell/theme.ts';
import './style/theme.css';
import './style/base.css';
import './style/shell.css';
import './style/ui.css';
import './style/dialog.css';
import './style/table.css';

applyTheme();
// Read at once, because the address may change before the first render.
const session = openPageTokens();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App first={session} />
  </StrictMode>,
);
