// A read attachment as an MCP client shows it to its model: an image as an image, sound as sound, anything else that is
// no text as a resource. The bytes travel once.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';

/** What models take as a picture. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function shownToModel(name: ToolName, result: ToolCallResult): CallToolResult {
  const { data, ...about } = result.structuredContent ?? {};
  const { mediaType, attachmentId } = about;
  if (name !== 'chat.read_attachment' || typeof data !== 'string' || typeof mediaType !== 'string')
    return result;
  return {
    ...result,
    content: [...result.content, partOf(data, mediaType, String(attachmentId))],
    structuredContent: about,
  };
}

function partOf(data: string, mimeType: string, id: string): CallToolResult['content'][number] {
  if (IMAGES.has(mimeType)) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  const uri = `attachment:${encodeURIComponent(id.toWellFormed())}`;
  return { type: 'resource', resource: { uri, mimeType, blob: data } };
}
