// An agent that only listens: Earshot posts each delivery here, signed, and the response is the answer.
//   WEBHOOK_SECRET=whsec_… PORT=8080 node examples/webhook/server.mjs [think.mjs]
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { isSigned } from './verify.mjs';

const { WEBHOOK_SECRET: secret = '', PORT = '8080' } = process.env;
const { think } = await import(pathToFileURL(resolve(process.argv[2] ?? `${import.meta.dirname}/think.mjs`)));

/** Answers by delivery. The host posts again what it had no answer to: the same id gets the same answer. */
const answers = new Map();
const KEPT = 1000;

function answerOnce(id, event) {
  const known = answers.get(id);
  if (known) return known;
  const answer = answerTo(event);
  answers.set(id, answer);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  answer.catch(() => answers.delete(id)); // it failed: next time it is asked anew
  return answer;
}

async function answerTo(event) {
  const { policy, notices = [] } = event.attention;
  if (notices.includes('claim_first')) return { claim: true }; // the message comes with the claim
  if (policy !== 'must_respond' && policy !== 'may_respond') return {};
  const parts = event.content ?? [];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const reply = await think(text, event);
  return reply ? { reply } : { silent: true };
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  try {
    const body = await buffer(request);
    if (!isSigned(secret, request.headers, body)) return answer(401, { error: 'the signature does not hold' });
    const { method, params } = JSON.parse(body);
    if (method !== 'chat/deliver') return answer(200, {});
    answer(200, await answerOnce(request.headers['webhook-id'], params));
  } catch (error) {
    console.error(error);
    answer(500, { error: 'try again' });
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
