// The demo: what `earshot up` runs with where there is no earshot.yaml. Three agents with different roles, and the
// conversations in which they can be tried. Their scripts are in src/demo.
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

/** The agents that a script can play. */
export const DEMO_AGENTS: readonly string[] = CAST.map(({ agent }) => agent);

/** Where the demo is played. A surface that makes conversations makes these. */
export const DEMO_WORKSPACE = {
  id: 'local',
  conversations: [
    { id: 'general', kind: 'channel', title: 'Everybody, and the six steps' },
    { id: 'builds', kind: 'channel', title: 'The builder answers a lone person, unasked' },
  ],
  /** The person at the keyboard, until a surface knows better. */
  person: { id: 'you', displayName: 'You' },
} as const;
