// The public surface of `earshot/host`: what somebody needs to run the host inside a program of their own.
export { createHostStateCodec } from './attend/rebuild-state.ts';
export { hostStateCodec } from './kernel/conversation.ts';
export type { HostContext } from './kernel/context.ts';
export type { HostLog, HostNews } from './kernel/change.ts';
export { createHost, type Host, type HostOptions, INTERNAL_SURFACE } from './host.ts';
export type { SessionIdentity } from './harness/session.ts';
export type { OpinionQuestion } from './opinion/question.ts';
export type { OpinionModel } from './opinion/second-opinion.ts';
export { type HostSettings, hostSettingsSchema } from './kernel/settings.ts';
