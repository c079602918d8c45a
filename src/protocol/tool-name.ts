// The names of the chat tools. They have a dot on the C2A wire and an underscore for model providers and MCP clients,
// because providers accept only letters, digits, `_` and `-`. Only this file translates between the two.
export const TOOL_NAMES = [
  'chat.list_events',
  'chat.read_thread',
  'chat.read_attachment',
  'chat.send_message',
  'chat.edit_message',
  'chat.delete_message',
  'chat.react',
  'chat.claim',
  'chat.defer',
  'chat.resolve',
  'chat.disengage',
  'chat.set_mode',
  'chat.focus',
  'chat.wait_events',
  'chat.open_set',
  'chat.ask_permission',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export function toolNameForModel(name: ToolName): string {
  return name.replace('.', '_');
}

/** The host's texts use the names of the wire. This replaces them with the names that a model knows. */
export function inModelNames(text: string): string {
  return TOOL_NAMES.reduce((words, name) => words.replaceAll(name, toolNameForModel(name)), text);
}

/** Undefined for a name that is no tool. The name is looked up, because the rest of it has underscores too. */
export function toolNameFromModel(modelName: string): ToolName | undefined {
  return TOOL_NAMES.find((name) => toolNameForModel(name) === modelName);
}

export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
