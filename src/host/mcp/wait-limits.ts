// How long one `chat_wait_events` may wait. A client gives a tool call up after a time of its own, so the wait ends
// before that: each idle call costs a turn of the model, and one that the client gave up costs an error besides.

/** Where nothing is known of the client. Most MCP SDKs, and Codex, give a call up after 60 s. */
export const WAIT_DEFAULT_MS = 50_000;

/** By the name with which a client introduces itself: the limit it has if nobody configured another, less a margin. */
const BY_CLIENT: readonly { name: RegExp; waitMs: number }[] = [
  // MCP_TOOL_TIMEOUT: more than a day.
  { name: /^claude-code/, waitMs: 570_000 },
  // `timeout` of the server's entry: 600 s. Qwen Code is made from it.
  { name: /^(gemini|qwen)-?c/, waitMs: 570_000 },
  // `timeout` of the extension: 300 s.
  { name: /^goose/, waitMs: 280_000 },
];

export function waitMsFor(client: string | undefined): number {
  return BY_CLIENT.find(({ name }) => name.test(client ?? ''))?.waitMs ?? WAIT_DEFAULT_MS;
}

/** While a call waits, a client that asked for progress hears of it this often, and so does any proxy in between. */
export const PROGRESS_MS = 15_000;
