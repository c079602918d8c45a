// What a model over MCP reads. Descriptions and refusals use the tool names that the model can call, and do not mention
// keys that it does not carry. What people said in chat is never rewritten. Files arrive in the form that MCP clients
// show: an image, sound, or a resource.
import type { WireError } from '../../protocol/errors.ts';
import { inModelNames, type ToolName } from '../../protocol/tool-name.ts';
import { refusalOf, type ToolCallResult, toolRefusal } from '../../protocol/tool.ts';
import { inShortWords } from '../../protocol/short-ids.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';

export function inModelWords(text: string): string {
  return inModelNames(text).replaceAll('the same arguments and idempotencyKey', 'the same arguments');
}

/** Rewrites a refusal. Any other result stays as it is. */
export function refusalInModelWords(result: ToolCallResult): ToolCallResult {
  const error = refusalOf(result);
  return error === undefined ? result : modelRefusal(error);
}

export function modelRefusal(error: WireError): ToolCallResult {
  return toolRefusal({ ...error, message: inModelWords(error.message) });
}

/** The image types that models accept. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Moves the bytes of a file that was read from the structured result to the content, so that they travel once. */
export function resultForModel(name: ToolName, result: ToolCallResult): CallToolResult {
  if (name === 'chat.ask_permission') return verdict(result);
  const { structuredContent } = result;
  if (structuredContent === undefined || result.isError === true) return result;
  // Many clients show a model this and not the text. Its ids are the same short words as there.
  const { data, ...about } = inShortWords(structuredContent);
  const { mediaType, attachmentId } = about;
  if (name !== 'chat.read_attachment' || typeof data !== 'string' || typeof mediaType !== 'string')
    return { ...result, structuredContent: data === undefined ? about : { ...about, data } };
  return {
    ...result,
    content: [...result.content, partOf(data, mediaType, String(attachmentId))],
    structuredContent: about,
  };
}

/** The program that asks reads the text alone, and a refusal of ours as a no. */
function verdict({ content, isError }: ToolCallResult): CallToolResult {
  if (isError !== true) return { content };
  const message = content.map(({ text }) => text).join('\n');
  return { content: [{ type: 'text', text: JSON.stringify({ behavior: 'deny', message }) }] };
}

function partOf(data: string, mimeType: string, id: string): CallToolResult['content'][number] {
  if (IMAGES.has(mimeType)) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  const uri = `attachment:${encodeURIComponent(id.toWellFormed())}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}
