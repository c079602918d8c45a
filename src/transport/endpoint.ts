// The address of a host's WebSocket, out of whatever a person writes: http or ws, with or without the path.
const PATH = '/c2a';

export function endpointOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^(?:http|ws)s?:$/.test(url.protocol))
    throw new TypeError(`"${text}" is no address; write for example http://127.0.0.1:7575`);
  url.protocol = url.protocol.replace('http', 'ws');
  url.hash = '';
  if (url.pathname === '/') url.pathname = PATH;
  return url.href;
}
