// The public surface of `earshot/host`: what somebody needs to run the host inside a program of their own.
export {
  type HostLog,
  type HostSettings,
  hostSettingsSchema,
  type OpinionModel,
  type OpinionQuestion,
} from '../host/index.ts';
export type { Store } from '../store/store.ts';
export type { CloseReason, Transport } from '../transport/transport.ts';
export { type EmbeddedHost, startHost, type StartHostOptions, stateCodecFor } from './start-host.ts';
