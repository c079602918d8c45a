// The host's sentences, as a model over MCP must read them: tools under the names it can call, and no talk of keys it
// does not carry. Only descriptions and refusals are rewritten, never what people said in chat.
import type { WireError } from '../../protocol/errors.ts';
import { inModelNames } from '../../protocol/tool-name.ts';
import { refusalOf, type ToolCallResult, toolRefusal } from '../../protocol/tool.ts';

export function inModelWords(text: string): string {
  return inModelNames(text).replaceAll('the same arguments and idempotencyKey', 'the same arguments');
}

/** A refusal with its reason; anything else as it is. */
export function refusalInModelWords(result: ToolCallResult): ToolCallResult {
  const error = refusalOf(result);
  return error === undefined ? result : modelRefusal(error);
}

export function modelRefusal(error: WireError): ToolCallResult {
  return toolRefusal({ ...error, message: inModelWords(error.message) });
}
