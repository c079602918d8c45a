// What agents have agreed to, beyond a single session. A session carries its own agreement; a call over HTTP has none, so
// the last `initialize` over HTTP counts for the agent's calls over HTTP, and for no other way. Glyphs belong to the
// agent: those of its newest agreement are used for its reactions on platforms, and to read reactions to its messages.
// Both survive a restart, in a small state per agent.
import { type Agreement, negotiate } from '../../protocol/initialize.ts';
import { DEFAULT_GLYPHS, type GlyphTable } from '../../protocol/glyphs.ts';
import type { Store } from '../../store/store.ts';
import type { Apply } from '../kernel/change.ts';
import type { Changes } from '../kernel/changes.ts';

/** For a caller that negotiates nothing (MCP, plain HTTP): the short event, and fragments composed by the host. */
export const BASE_AGREEMENT: Agreement = baseProfile();

export interface Agreements {
  /** For the agent's calls over HTTP. */
  overHttp(agent: string): Agreement;
  /** Reads it again, where the agent may have agreed with another host. Call it before a call over HTTP. */
  renew(agent: string): Promise<void>;
  glyphsOf: (agent: string) => GlyphTable;
  /** Remembers a new agreement, durably where it differs from what was known. */
  note(agent: string, agreement: Agreement, way: 'http' | 'session'): Promise<void>;
  /** Reads what agents have agreed to that are new in the settings. */
  know(agents: readonly { id: string }[]): Promise<void>;
}

/** What the state of one agent holds. */
interface Agreed {
  http?: Agreement;
  glyphs?: GlyphTable;
}

interface Deps {
  store: Pick<Store, 'state'>;
  apply: Apply;
  changes: Changes;
}

export async function createAgreements(
  { store, apply, changes }: Deps,
  agents: readonly { id: string }[],
): Promise<Agreements> {
  const agreed = new Map<string, Agreed>();
  const readAgain = async (id: string): Promise<void> => {
    agreed.set(id, read(await store.state(stateKey(id))));
  };
  const renew: Agreements['renew'] = async (id) => (changes.isAlone ? undefined : readAgain(id));
  const know: Agreements['know'] = async (these) => {
    for (const { id } of these) if (!agreed.has(id)) await readAgain(id);
  };
  await know(agents);
  changes.follow('agreed', async (key) => {
    for (const id of key === undefined ? [...agreed.keys()] : [key]) await readAgain(id);
  });
  return {
    know,
    renew,
    overHttp: (agent) => agreed.get(agent)?.http ?? BASE_AGREEMENT,
    glyphsOf: (agent) => agreed.get(agent)?.glyphs ?? DEFAULT_GLYPHS,
    async note(agent, agreement, way) {
      await renew(agent);
      const before = agreed.get(agent) ?? {};
      const after = next(before, agreement, way);
      agreed.set(agent, after);
      const [known, value] = [JSON.stringify(before), JSON.stringify(after)];
      if (known === value) return;
      const state = stateKey(agent);
      await apply({
        states: [state, ...changes.names],
        run(view) {
          const writes = [{ state, value, wakeAt: null }, ...changes.tell(view, 'agreed', [agent])];
          return { writes, news: [], result: undefined };
        },
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
  const renewed = http === undefined ? undefined : asToday(http);
  return {
    ...(renewed === undefined ? {} : { http: renewed }),
    ...(glyphs === undefined ? {} : { glyphs }),
  };
}

/** The agreement as this version would make it, so that every flag of today is there. */
function asToday({ protocolVersion, capabilities }: Agreement): Agreement | undefined {
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
