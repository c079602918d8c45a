// The names of the chat tools: dotted on the C2A wire, underscored wherever a model provider or an MCP client sees
// them, because providers accept only letters, digits, `_` and `-`. This pair of functions is the only translation.
export const TOOL_NAMES = [
  'chat.list_events',
  'chat.read_thread',
  'chat.read_attachment',
  'chat.send_message',
  'chat.react',
  'chat.claim',
  'chat.defer',
  'chat.resolve',
  'chat.disengage',
  'chat.set_mode',
  'chat.focus',
  'chat.wait_events',
  'chat.open_set',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export function toolNameForModel(name: ToolName): string {
  return name.replace('.', '_');
}

/** The host's own words name tools as they are on its wire; a model knows them by the other name. */
export function inModelNames(text: string): string {
  return TOOL_NAMES.reduce((words, name) => words.replaceAll(name, toolNameForModel(name)), text);
}

/** Undefined for a name that is no tool of ours. Looked up, not rewritten: the rest of a name has underscores too. */
export function toolNameFromModel(modelName: string): ToolName | undefined {
  return TOOL_NAMES.find((name) => toolNameForModel(name) === modelName);
}

export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
