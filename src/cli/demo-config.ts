// The demo configuration, which `earshot up` uses when there is no earshot.yaml: three agents with different roles and
// the conversations in which to try them. Their scripts are in src/demo.
import { CAST } from '../demo/play.ts';

export const DEMO_CONFIG = `agents:
  - id: lead
    name: Lead
  - id: builder
    name: Builder
    lead: lead
    roles: [oncall]
  - id: reviewer
    name: Reviewer
    lead: lead
    roles: [oncall]
conversations:
  # A lone person who names nobody is answered by the builder here.
  - match: '*/*/builds'
    defaultResponder: builder
owner: you
host:
  limits:
    # So that a step can be played again at once. Ten minutes is the default.
    repeatTextMs: 20000
`;

/** The agents that have a script. */
export const DEMO_AGENTS: readonly string[] = CAST.map(({ agent }) => agent);

/** The conversations of the demo. A surface that creates conversations creates these. */
export const DEMO_WORKSPACE = {
  id: 'local',
  conversations: [
    { id: 'general', kind: 'channel', title: 'Everybody, and the six steps' },
    { id: 'builds', kind: 'channel', title: 'The builder answers a lone person, unasked' },
  ],
  /** The id of the person at the keyboard, unless a surface has a better one. */
  person: { id: 'you', displayName: 'You' },
} as const;
