// A team on one host: two agents, people with tokens of their own, and an agent that answers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connect, type Turn } from '../../../src/agent/index.ts';
import { upHere } from '../../server/here.ts';
import { folder, type Listening } from '../../server/up.ts';
import { signIn, type SignedIn } from './tab.ts';

const CONFIG = `agents:
  - id: lead
    name: Lead
    roles: [oncall]
  - id: builder
    lead: lead
limits:
  composeMs: 50
`;

export class Team {
  readonly host: Listening;

  constructor(host: Listening) {
    this.host = host;
  }

  async token(subject: string, label: string): Promise<{ token: string; key: string }> {
    const { operator } = this.host.tokens;
    const made = await this.host.call('POST', '/v1/tokens', operator, { kind: 'person', subject, label });
    if (made.status !== 201) throw new Error(made.text);
    return made.body as { token: string; key: string };
  }

  async person(subject: string, label = subject): Promise<SignedIn & { token: string; key: string }> {
    const { token, key } = await this.token(subject, label);
    return { ...(await signIn(this.host.url, token)), token, key };
  }

  /** Answers every turn with what `say` makes of it. */
  agent(
    id: string,
    say: (text: string, turn: Turn) => string | undefined | Promise<string | undefined>,
  ): void {
    const agent = connect({
      url: `${this.host.url.replace('http', 'ws')}/c2a`,
      token: this.host.tokens.agents[id] ?? '',
      compose: { quietMs: 50 },
    });
    agent.onTurn(async (turn) => (await say(turn.text, turn)) ?? '');
    onTestFinished(() => agent.close());
  }
}

/** `more`: further settings of the host, as lines of its file. */
export async function team(more = ''): Promise<Team> {
  return new Team(await upHere({ data: teamFolder(more) }));
}

/** A data folder with the team's configuration. */
export function teamFolder(more = ''): string {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), more === '' ? CONFIG : `${CONFIG}${more}\n`);
  return data;
}
