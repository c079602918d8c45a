// The session itself: negotiation, errors, and one live session per agent.
import { TOOL_NAMES } from '../../protocol/tool-name.ts';
import { PROTOCOL_VERSIONS } from '../../protocol/vocabulary.ts';
import type { RequestOutcome } from '../../transport/requests.ts';
import { expectThat, type Scenario } from '../scenario.ts';

/** The tools of every C2A host. The others are Earshot's own. */
const CORE_TOOLS = TOOL_NAMES.slice(0, 7);

function codeOf(outcome: RequestOutcome): number | string {
  return outcome.ok ? 'a result' : outcome.kind === 'error' ? outcome.error.code : outcome.kind;
}

export const SESSION: readonly Scenario[] = [
  {
    id: 'session/initialize-first',
    title: 'Nothing is answered before initialize',
    needs: ['push'],
    async run({ dial }) {
      const session = await dial();
      const outcome = await session.request('tools/list', {});
      expectThat(!outcome.ok && outcome.kind === 'error', 'an error', codeOf(outcome));
    },
  },
  {
    id: 'session/version-agreed',
    title: 'A version both speak is agreed on; one that is not spoken is refused with those that are',
    async run({ dial }) {
      for (const version of PROTOCOL_VERSIONS) {
        const session = await dial();
        const outcome = await session.request('initialize', { protocolVersion: version });
        if (outcome.ok) {
          const { protocolVersion } = outcome.result as { protocolVersion?: unknown };
          expectThat(
            protocolVersion === version,
            `the version that was asked for, ${version}`,
            protocolVersion,
          );
          continue;
        }
        const supported = outcome.kind === 'error' ? JSON.stringify(outcome.error) : '';
        expectThat(
          /\d{4}-\d{2}-\d{2}.*\d{4}-\d{2}-\d{2}/.test(supported),
          `${version}, or an error that lists what is spoken`,
          outcome,
        );
      }
    },
  },
  {
    id: 'session/version-unknown',
    title: 'A version nobody speaks is refused with those that are spoken',
    async run({ dial }) {
      const session = await dial();
      const outcome = await session.request('initialize', { protocolVersion: '1999-01-01' });
      expectThat(!outcome.ok && outcome.kind === 'error', 'an error', codeOf(outcome));
      const text = JSON.stringify(outcome.error);
      const known = PROTOCOL_VERSIONS.some((version) => text.includes(version));
      expectThat(known, 'an error that names a version which is spoken', outcome.error);
    },
  },
  {
    id: 'session/unknown-method',
    title: 'An unknown method is -32601',
    async run({ open }) {
      const session = await open();
      const outcome = await session.request('chat/no_such_method', {});
      expectThat(codeOf(outcome) === -32601, 'error -32601', codeOf(outcome));
    },
  },
  {
    id: 'session/not-json',
    title: 'Bytes that are no JSON are -32700, and the session goes on or is closed in order',
    needs: ['raw'],
    async run({ open }) {
      const session = await open();
      const answer = (await session.link.raw('{"jsonrpc":"2.0",')) as
        | { error?: { code?: unknown } }
        | undefined;
      expectThat(answer?.error?.code === -32700, 'error -32700', answer ?? 'no answer');
    },
  },
  {
    id: 'session/bad-params',
    title: 'Arguments that do not fit are refused with words, not with a crash',
    async run({ open }) {
      const session = await open();
      const call = await session.request('tools/call', { name: 'chat.no_such_tool', arguments: {} });
      expectThat(!call.ok && call.kind === 'error', 'an error for an unknown tool', codeOf(call));
      const sent = await session.tool('chat.send_message', { text: 7 });
      expectThat(!sent.ok && sent.message.length > 0, 'a refusal with words', sent);
      const ping = await session.request('ping', {});
      expectThat(ping.ok, 'the session to go on', codeOf(ping));
    },
  },
  {
    id: 'session/tools-listed',
    title: 'The tools of the protocol are listed, each with the schema of its input',
    async run({ open }) {
      const session = await open();
      const outcome = await session.request('tools/list', {});
      expectThat(outcome.ok, 'a list of tools', codeOf(outcome));
      const { tools } = outcome.result as { tools?: { name?: unknown; inputSchema?: { type?: unknown } }[] };
      for (const name of CORE_TOOLS) {
        const tool = tools?.find((one) => one.name === name);
        expectThat(
          tool?.inputSchema?.type === 'object',
          `${name} with an input schema`,
          tool ?? 'no such tool',
        );
      }
    },
  },
  {
    id: 'session/newest-wins',
    title: 'A second session of the agent takes over, and the first is closed',
    needs: ['push'],
    async run({ open }) {
      const first = await open();
      await open();
      expectThat(await first.ended(), 'the first session to be closed', 'both are open');
    },
  },
];
