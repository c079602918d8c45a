// The public surface of `earshot/testing`: a host, a clock and other agents, for testing an agent's manners in
// milliseconds. Knows no test runner.
export { type Desk, duplicateProne, eager, looping, polite, type Script, slow } from './script.ts';
export { type SayOptions } from './said.ts';
export { type InboxItem, type TestHost, testHost, type TestHostOptions } from './test-host.ts';
export type { VisibleMessage, VisibleReaction } from './test-surface.ts';
export type { Why } from './why.ts';
