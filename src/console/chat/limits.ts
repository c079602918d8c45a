// The limits that the page itself checks. Their types come from the wire's limits, so the values cannot differ.
// Importing the values would bring the wire's schemas into the page.
import type { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';

type Limits = typeof WEB_CHAT_LIMITS;

export const TEXT_CHARS: Limits['textChars'] = 16_000;
export const WEB_NAME_CHARS: Limits['nameChars'] = 64;
export const FILES_MAX: Limits['files'] = 5;
export const FILE_BYTES: Limits['fileBytes'] = 4_194_304;
export const FILES_BYTES: Limits['filesBytes'] = 8_388_608;
export const PERSON_CHARS: Limits['personNameChars'] = 40;
export const UNREAD_MAX: Limits['unread'] = 100;
export const TYPING_MS: Limits['typingMs'] = 8_000;
export const SILENT_MS: Limits['silentMs'] = 60_000;
