// What agents have agreed to, beyond a single session. A session carries its own agreement; a call over HTTP has none, so
// the last `initialize` over HTTP counts for the agent's calls over HTTP, and for no other way. Glyphs belong to the
// agent: those of its newest agreement are used for its reactions on platforms, and to read reactions to its messages.
// Both survive a restart, in a small state per agent.
import { type Agreement, negotiate } from '../../protocol/initialize.ts';
import { DEFAULT_GLYPHS, type GlyphTable } from '../../protocol/glyphs.ts';
import type { Store } from '../../store/store.ts';
import type { Apply } from '../kernel/change.ts';

/** For a caller that negotiates nothing (MCP, plain HTTP): the short event, and fragments composed by the host. */
export const BASE_AGREEMENT: Agreement = baseProfile();

export interface Agreements {
  /** For the agent's calls over HTTP. */
  overHttp(agent: string): Agreement;
  glyphsOf: (agent: string) => GlyphTable;
  /** Remembers a new agreement, durably where it differs from what was known. */
  note(agent: string, agreement: Agreement, way: 'http' | 'session'): Promise<void>;
}

/** What the state of one agent holds. */
interface Agreed {
  http?: Agreement;
  glyphs?: GlyphTable;
}

interface Deps {
  store: Pick<Store, 'state'>;
  apply: Apply;
}

export async function createAgreements(
  { store, apply }: Deps,
  agents: readonly { id: string }[],
): Promise<Agreements> {
  const agreed = new Map<string, Agreed>();
  for (const { id } of agents) agreed.set(id, read(await store.state(stateKey(id))));
  return {
    overHttp: (agent) => agreed.get(agent)?.http ?? BASE_AGREEMENT,
    glyphsOf: (agent) => agreed.get(agent)?.glyphs ?? DEFAULT_GLYPHS,
    async note(agent, agreement, way) {
      const before = agreed.get(agent) ?? {};
      const after = next(before, agreement, way);
      agreed.set(agent, after);
      const [known, value] = [JSON.stringify(before), JSON.stringify(after)];
      if (known === value) return;
      const state = stateKey(agent);
      await apply({
        states: [state],
        run: () => ({ writes: [{ state, value, wakeAt: null }], news: [], result: undefined }),
      });
    },
  };
}

/** The default glyphs are not kept, so an agent that changes nothing has no state. */
function next({ http }: Agreed, agreement: Agreement, way: 'http' | 'session'): Agreed {
  const { glyphs } = agreement.capabilities;
  const last = way === 'http' ? agreement : http;
  return {
    ...(last === undefined ? {} : { http: last }),
    ...(JSON.stringify(glyphs) === JSON.stringify(DEFAULT_GLYPHS) ? {} : { glyphs }),
  };
}

/** The state is kept as text: it is what was agreed, word for word. Text of another version is forgotten. */
function read(value: unknown): Agreed {
  if (typeof value !== 'string') return {};
  const { http, glyphs } = JSON.parse(value) as Agreed;
  const renewed = http === undefined ? undefined : renew(http);
  return {
    ...(renewed === undefined ? {} : { http: renewed }),
    ...(glyphs === undefined ? {} : { glyphs }),
  };
}

/** The agreement as this version would make it, so that every flag of today is there. */
function renew({ protocolVersion, capabilities }: Agreement): Agreement | undefined {
  const outcome = negotiate({ protocolVersion, capabilities });
  return outcome.ok ? outcome.agreement : undefined;
}

function stateKey(agent: string): string {
  return `agreed/${agent}`;
}

function baseProfile(): Agreement {
  const outcome = negotiate({ protocolVersion: '2026-06-24' });
  if (!outcome.ok) throw new Error('the base profile is always spoken');
  return outcome.agreement;
}
