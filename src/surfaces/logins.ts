// Several logins of one surface: one for each agent, or one that the others share. What they hear is one stream, and what
// an agent does goes through its own. Kept here, for every platform: whose login is whose, who the logins are, and how
// they are together.
import type { Clock } from '../runtime/clock.ts';
import type { SurfaceAccount, SurfaceHealth, SurfaceHost } from './surface.ts';

/** Whose login it is. */
export interface Held {
  /** Left out: of every agent that has none of its own. */
  agents?: readonly string[] | undefined;
}

/** As people and addresses call it: by its first agent. */
export function nameOfLogin({ agents }: Held): string {
  return agents?.[0] ?? SHARED;
}

const SHARED = 'shared';

/** The login through which an agent speaks: its own, else the shared one, else the first. */
export function loginOf<L extends Held>(logins: readonly L[], agent: string): L {
  const found =
    logins.find(({ agents }) => agents?.includes(agent) === true) ??
    logins.find(({ agents }) => agents === undefined) ??
    logins[0];
  if (found === undefined) throw new Error('a surface has at least one login');
  return found;
}

/** Whether the account is this agent alone, so that its posts need no other name. */
export function isOwnLogin({ agents }: Held, agent: string): boolean {
  return agents?.length === 1 && agents[0] === agent;
}

/** The path of a login's requests: `events` of the only or shared one, `events/lead` of the lead's. */
export function pathOfLogin(path: string, login: Held, all: readonly Held[]): string {
  return all.length === 1 || login.agents === undefined ? path : `${path}/${nameOfLogin(login)}`;
}

/** What is kept of who a login is. The rest is the platform's own. */
type Identity = Pick<SurfaceAccount, 'id' | 'workspaceId' | 'name'>;

interface Entry<I> {
  held: Held;
  identity: I | undefined;
  /** Since the start. Before, the identity is the remembered one. */
  isLearnt: boolean;
  isTried: boolean;
  health: SurfaceHealth | undefined;
}

export interface RollDeps {
  clock: Clock;
  host: Pick<SurfaceHost, 'accounts' | 'health' | 'memory'>;
}

/** A login that takes longer than this to say who it is keeps the others from listening no more. */
const INTRODUCTION_MS = 5_000;

/**
 * The roll of the logins. An event may mention any of them, and may be the post of any: so nobody listens before each has
 * said who it is, or could not. Who they were is remembered, so that a login that is dead at the start is known all the
 * same: whoever mentions it is heard by the others.
 */
export class Roll<L extends Held, I extends Identity> {
  readonly #entries: Map<L, Entry<I>>;
  readonly #deps: RollDeps;
  readonly #introduced = Promise.withResolvers<void>();
  #isIntroduced = false;

  constructor(deps: RollDeps, logins: readonly L[]) {
    this.#deps = deps;
    this.#entries = new Map(
      logins.map((held) => [
        held,
        { held, identity: undefined, isLearnt: false, isTried: false, health: undefined },
      ]),
    );
  }

  /** Reads who the logins were. One alone has nobody else to be known to. */
  async load(): Promise<void> {
    const { memory } = this.#deps.host;
    for (const entry of this.#isAlone ? [] : this.#entries.values()) {
      const kept = await memory.get(keyOf(entry.held));
      if (kept) entry.identity = JSON.parse(kept) as I;
    }
    this.#tellAccounts();
  }

  /** The first tries begin. */
  begin(): void {
    const cancel = this.#deps.clock.after(INTRODUCTION_MS, () => this.#introduce());
    void this.introduced.then(cancel);
    this.#look();
  }

  /** Resolves once events may be taken. */
  get introduced(): Promise<void> {
    return this.#introduced.promise;
  }

  get isIntroduced(): boolean {
    return this.#isIntroduced;
  }

  identityOf(login: L): I | undefined {
    return this.#entries.get(login)?.identity;
  }

  /** Who the other logins are, as far as that is known. */
  others(login: L): I[] {
    return [...this.#entries].flatMap(([one, { identity }]) =>
      one === login || identity === undefined ? [] : [identity],
    );
  }

  /** Why the login cannot be what the platform says it is. */
  problem(login: L, { id, workspaceId }: Identity): string | undefined {
    for (const [one, { identity, isLearnt }] of this.#entries) {
      if (one === login || identity === undefined || !isLearnt) continue;
      const other = nameOfLogin(one);
      if (identity.workspaceId !== workspaceId)
        return `it is of another workspace (${workspaceId}) than the login of ${other}: give each workspace a surface of its own`;
      if (identity.id === id)
        return `it is the same account as the login of ${other}: give each its own, or name both agents at one login`;
    }
    return undefined;
  }

  /** The platform has said who the login is. */
  async learn(login: L, identity: I): Promise<void> {
    const entry = this.#entries.get(login);
    if (entry === undefined) return;
    const isNew = JSON.stringify(entry.identity) !== JSON.stringify(identity);
    entry.identity = identity;
    entry.isLearnt = true;
    if (isNew && !this.#isAlone) await this.#deps.host.memory.set(keyOf(login), JSON.stringify(identity));
    this.#tellAccounts();
  }

  /** The login has tried for the first time, or again. */
  tried(login: L): void {
    const entry = this.#entries.get(login);
    if (entry !== undefined) entry.isTried = true;
    this.#look();
  }

  note(login: L, health: SurfaceHealth): void {
    const entry = this.#entries.get(login);
    if (entry === undefined) return;
    entry.health = health;
    this.#deps.host.health(this.#isAlone ? health : healthTogether([...this.#entries.values()]));
  }

  /** Whether it does not work at present. One that has not said yet how it is counts as working. */
  isOut(login: L): boolean {
    const state = this.#entries.get(login)?.health?.state;
    return state === 'down' || state === 'retrying';
  }

  get #isAlone(): boolean {
    return this.#entries.size === 1;
  }

  #look(): void {
    if ([...this.#entries.values()].every(({ isTried, identity }) => isTried || identity !== undefined))
      this.#introduce();
  }

  #introduce(): void {
    this.#isIntroduced = true;
    this.#introduced.resolve();
  }

  #tellAccounts(): void {
    const all = [...this.#entries.values()];
    const first = all[0];
    const isShared = all.some(({ held }) => held.agents === undefined);
    const accounts = all.flatMap(({ held, identity }, index) => {
      if (identity === undefined) return [];
      const { id, workspaceId, name } = identity;
      const speaksForOthers = !this.#isAlone && !isShared && all[index] === first;
      const agents = held.agents ?? ('*' as const);
      return [{ id, workspaceId, name, agents, ...(speaksForOthers && { speaksForOthers }) }];
    });
    if (accounts.length > 0) this.#deps.host.accounts(accounts);
  }
}

function keyOf(held: Held): string {
  return `login/${nameOfLogin(held)}`;
}

/** Some work and some do not: the surface works in part. */
function healthTogether(
  entries: readonly { held: Held; health: SurfaceHealth | undefined }[],
): SurfaceHealth {
  const told = entries.flatMap(({ held, health }) =>
    health === undefined ? [] : [{ name: nameOfLogin(held), health }],
  );
  const downs = told.flatMap(({ name, health }) => (health.state === 'down' ? [{ name, ...health }] : []));
  if (downs.length === entries.length)
    return {
      state: 'down',
      error: downs.map(({ name, error }) => `${name}: ${error}`).join('; '),
      fix: [...new Set(downs.map(({ fix }) => fix))].join(' '),
    };
  const works = told.some(({ health }) => health.state === 'up' || health.state === 'limited');
  const [retrying] = told.flatMap(({ health }) => (health.state === 'retrying' ? [health] : []));
  if (!works && retrying !== undefined) return retrying;
  const missing = told.flatMap(({ name, health }) => lackOf(health).map((one) => `login ${name}: ${one}`));
  return missing.length === 0 ? { state: 'up' } : { state: 'limited', missing };
}

function lackOf(health: SurfaceHealth): readonly string[] {
  switch (health.state) {
    case 'up':
      return [];
    case 'limited':
      return health.missing;
    case 'retrying':
      return [`neither hears nor speaks for now: ${health.error}`];
    case 'down':
      return [`neither hears nor speaks: ${health.error}. ${health.fix}`];
  }
}
