// Which addresses may become links: http, https and mailto. Everything else stays text, whatever it looks like.

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const HREF_CHARS = 2_048;
/** Controls, signs that turn text, and spaces. A browser drops some of them, so they can hide what an address is. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}]/u;

export function isSafeHref(href: string): boolean {
  if (href.length > HREF_CHARS || HIDDEN.test(href) || !/^(?:https?:\/\/|mailto:)/i.test(href)) return false;
  const url = URL.parse(href);
  // A name before the host looks like the host.
  return url !== null && PROTOCOLS.has(url.protocol) && url.username === '' && url.password === '';
}
