// The public surface of `earshot/protocol`: the words, the shapes and the codec of the C2A wire. Every export is named,
// so nothing becomes public by accident.
export * from './vocabulary.ts';

export {
  type Author,
  type ChatEvent,
  type ChatEventOf,
  type ChatEventType,
  type Conversation,
  chatEventSchema,
  EVENT_LIMITS,
  type Mention,
  type MessageEvent,
  type ObligationTerms,
} from './chat-event.ts';
export { type EchoMarks, type SourceEvent, sourceEventSchema } from './source-event.ts';
export { instantMs, type LogRecord, type RecordFacts, type RecordKind, recordKind } from './log-record.ts';

export {
  deliveryKey,
  displayName,
  headerWord,
  type Identity,
  type IdentityKind,
  identity,
  NAME_CHARS,
  parseIdentity,
  printableLine,
} from './identity.ts';
export { identitySchema, WIRE_LIMITS } from './wire-fields.ts';

export type { Attachment, DeliveredObligation, Delivery } from './delivery.ts';
export { type ContentPart, contentPartSchema, type FullEnvelope, fullEnvelopeSchema } from './envelope.ts';
export { type Knock, type KnockSource, knockFor, knockSchema } from './knock.ts';
export { isKnockTopic, KNOCK_WORDS } from './knock-topic.ts';
export {
  type OpenObligation,
  openObligationSchema,
  type ReactionRecord,
  reactionRecordSchema,
  type WireObligation,
  wireObligationSchema,
} from './obligation.ts';
export { project, projectFull, projectShort, type SentEnvelope, type SessionView } from './project.ts';
export {
  SHORT_KIND_OF,
  SHORT_POLICY_OF,
  type ShortConversationKind,
  type ShortEvent,
  type ShortObligationEvent,
  type ShortPolicy,
  shortEventSchema,
  shortObligationEventSchema,
} from './short-event.ts';
export {
  conversationKey,
  WIRE_EVENT_SCHEMAS,
  type WireEvent,
  type WireEvents,
  wireEventSchema,
} from './wire-event.ts';

export {
  type AgreedCapabilities,
  type CapabilityBlocks,
  type DeclaredCapabilities,
  HOST_CAPABILITIES,
  intersectCapabilities,
  MINIMAL_CAPABILITIES,
} from './capabilities.ts';
export {
  DEFAULT_GLYPHS,
  defaultGlyph,
  type GlyphRemap,
  type GlyphTable,
  remapGlyphs,
  signalOfGlyph,
} from './glyphs.ts';
export {
  type Agreement,
  DEFAULT_HOST_OFFER,
  type HostOffer,
  type InitializeParams,
  type InitializeResult,
  initializeParamsSchema,
  initializeResultSchema,
  type Negotiation,
  negotiate,
} from './initialize.ts';

export {
  isWireErrorName,
  WIRE_ERRORS,
  type WireError,
  type WireErrorData,
  type WireErrorName,
  wireError,
} from './errors.ts';
export {
  type Decoded,
  decode,
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  JSONRPC_LIMITS,
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcParams,
  type RpcRefusal,
  type RpcRequest,
  type RpcResponse,
} from './jsonrpc.ts';
export {
  type MethodDirection,
  isMethodName,
  METHOD_NAMES,
  METHODS,
  type MethodName,
  type MethodParams,
  type MethodResult,
} from './methods.ts';
export { type ReadParams, readParams } from './read-params.ts';

export { WAIT_MAX_MS } from './read-tools.ts';
export {
  type Idempotent,
  MODEL_HIDDEN,
  refusalOf,
  type Tool,
  type ToolCallResult,
  toolCallResultSchema,
  toolRefusal,
  toolSuccess,
} from './tool.ts';
export { type ListedEvent, listedEventSchema } from './tool-fields.ts';
export { isToolName, TOOL_NAMES, type ToolName, toolNameForModel, toolNameFromModel } from './tool-name.ts';
export { listTool, TOOLS, type ToolInput, type ToolListing, type ToolResult } from './tools.ts';

export { type JsonSchema, jsonSchemas, jsonSchemaText } from './json-schemas.ts';
