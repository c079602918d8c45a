// What other folders import of the host. `earshot/host`, for strangers, is src/embed.
export { hostStateCodec } from './conversation.ts';
export type { HostContext, HostLog, HostNews } from './context.ts';
export { createHost, type Host, type HostOptions, INTERNAL_SURFACE } from './host.ts';
export type { SessionIdentity } from './session.ts';
export { type HostSettings, hostSettingsSchema } from './settings.ts';
