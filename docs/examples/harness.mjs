// A harness in fifteen lines of plain Node 24: connects, receives, acknowledges, replies. node harness.mjs URL TOKEN
const socket = new WebSocket(process.argv[2], ['c2a', `bearer.${process.argv[3]}`]);
const send = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
const hello = { id: 'hello', method: 'initialize', params: { protocolVersion: '2026-06-02' } };
socket.addEventListener('open', () => send(hello));
socket.addEventListener('close', ({ code }) => console.log('closed', code));
socket.addEventListener('message', ({ data }) => {
  const { id, method, params, ...answer } = JSON.parse(data);
  if (method === undefined) return console.log('answer', id, JSON.stringify(answer));
  if (id !== undefined) send({ id, result: {} }); // this acknowledges a delivery, and answers a ping
  if (method !== 'chat/deliver' || params.attention.policy !== 'must_respond') return;
  const { eventId, conversation, author } = params;
  const text = `Hello ${author.displayName}, I am here.`; // here a model would be asked
  const where = { target: `${conversation.kind}:${conversation.id}`, visibility: 'channel' };
  const reply = { ...where, text, inReplyTo: eventId, directedness: 'ambient', idempotencyKey: eventId };
  send({ id: eventId, method: 'tools/call', params: { name: 'chat.send_message', arguments: reply } });
});
