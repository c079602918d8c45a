// The public surface of `earshot/host`: what somebody needs to run the host inside a program of their own.
export { hostStateCodec } from './conversation.ts';
export { createHostStateCodec } from './rebuild-state.ts';
export type { HostContext, HostLog, HostNews } from './context.ts';
export { createHost, type Host, type HostOptions, INTERNAL_SURFACE } from './host.ts';
export type { SessionIdentity } from './session.ts';
export { type HostSettings, hostSettingsSchema } from './settings.ts';
