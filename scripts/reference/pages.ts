// The generated pages, by path: pure and deterministic.
import { configurationPage } from './configuration.ts';
import { decisionsPage } from './decisions.ts';
import { protocolPage } from './protocol.ts';
import { surfacesPage } from './surfaces.ts';

export function referencePages(): Record<string, string> {
  return {
    'docs/reference/configuration.md': configurationPage(),
    'docs/reference/decisions.md': decisionsPage(),
    'docs/reference/protocol.md': protocolPage(),
    'docs/reference/surfaces.md': surfacesPage(),
  };
}
