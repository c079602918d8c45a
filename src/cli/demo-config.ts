// What `earshot up` runs with where there is no earshot.yaml: two agents and defaults for the rest, so that the first
// message can be posted before anything is written.

export const DEMO_CONFIG = `agents:
  - id: lead
    name: Lead
  - id: builder
    name: Builder
    lead: lead
    roles: [oncall]
`;
