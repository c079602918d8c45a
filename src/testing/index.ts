// The public API of `earshot/testing`: a host, a clock and scripted agents, to test how an agent behaves in chat within
// milliseconds. Works with any test runner.
export { type Desk, duplicateProne, eager, looping, polite, type Script, slow } from './script.ts';
export { type SayOptions } from './said.ts';
export { type InboxItem, type TestHost, testHost, type TestHostOptions } from './test-host.ts';
export type { VisibleMessage, VisibleReaction } from './test-surface.ts';
export type { Why } from './why.ts';
