// Faults in what keeps the rows of TypeClaw's engagement text.
import type { Fault } from '../fault.ts';

export const TYPECLAW_FAULTS: readonly Fault[] = [
  {
    row: 'TC/decision/denied-before-engagement',
    file: 'src/attention/decide.ts',
    from: "if (isDenied(heard, agent)) return refusal(heard, agent, 'denied');\n    const direction",
    to: 'const direction',
  },
  {
    row: 'TC/decision/claim-before-engagement',
    file: 'src/attention/decide.ts',
    from: 'return folded.length <= 64 && PAIRING_CODE.test(folded);',
    to: 'return folded.length <= 8 && PAIRING_CODE.test(folded);',
  },
  {
    row: 'TC/observe/at-most-20',
    file: 'src/host/read/seen-while-quiet.ts',
    from: 'if (!isHistory) limit = SEEN_LIMITS.events;',
    to: '',
  },
  {
    row: 'TC/observe/flushed-once',
    file: 'src/host/read/seen-while-quiet.ts',
    from: 'else if (begun) break;',
    to: '',
  },
  {
    row: 'TC/observe/prefetch-seeds',
    file: 'src/host/read/seen-while-quiet.ts',
    from: 'seed: 80,',
    to: 'seed: 20,',
  },
  {
    row: 'TC/observe/two-headings',
    file: 'src/agent/prompt.ts',
    from: 'return { leadIn: others.filter(leads), context: others.filter((line) => !leads(line)) };',
    to: 'return { leadIn: others, context: [] };',
  },
  {
    row: 'TC/loop-guard/notice-in-user-turn',
    file: 'src/agent/prompt.ts',
    from: '    ...notices(input, context, tools),\n',
    to: '',
  },
  {
    row: 'TC/membership/fresh-for-60-seconds',
    file: 'src/attention/participants.ts',
    from: 'record.at - read.at < limits.membershipFreshMs',
    to: 'record.at - read.at <= limits.membershipFreshMs',
  },
  {
    row: 'TC/ladder/sticky-one-shot',
    file: 'src/attention/participants.ts',
    from: 'return kept.length === state.credits.length ? state : { ...state, credits: kept };',
    to: 'return state;',
  },
  {
    row: 'TC/ladder/sticky-window',
    file: 'src/attention/participants.ts',
    from: 'until: at + limits.stickyMs }',
    to: 'until: at + limits.stickyMs * 2 }',
  },
  {
    row: 'TC/ladder/target-check-keeps-credit',
    file: 'src/attention/directedness.ts',
    from: "return elsewhere ? undefined : { facts: {}, reason: 'sticky' };",
    to: "return { facts: {}, reason: 'sticky' };",
  },
  {
    row: 'TC/disengage/drops-every-credit',
    file: 'src/attention/participants.ts',
    from: 'credits: state.credits.filter((credit) => credit.agent !== agent) };',
    to: 'credits: state.credits.slice(1) };',
  },
  {
    row: 'TC/peers/no-solo-fallback',
    file: 'src/attention/directedness.ts',
    from: "if (heard.author.kind !== 'human' || heard.humans.count > 1) return undefined;",
    to: 'if (heard.humans.count > 1) return undefined;',
  },
  {
    row: 'TC/membership/truncated-only-raises',
    file: 'src/attention/participants.ts',
    from: 'const fresh = read.complete && !unseen &&',
    to: 'const fresh = !unseen &&',
  },
  {
    row: 'TC/loop-guard/two-guards',
    file: 'src/agent/tools.ts',
    from: 'return times > limit ? Promise.resolve(refused(limit)) : call(name, args);',
    to: 'return call(name, args);',
  },
  {
    row: 'TC/nudge/one-notice',
    file: 'src/attention/decide.ts',
    from: '  else if (heard.humans.count > 1 && (row.groupNotice === true',
    to: '  if (heard.humans.count > 1 && (row.groupNotice === true',
  },
  {
    row: 'TC/ladder/triggers-configurable',
    file: 'src/attention/directedness.ts',
    from: 'return agent.triggers.mention && heard.mentioned.has(agent.key);',
    to: 'return heard.mentioned.has(agent.key);',
  },
  {
    row: 'TC/suppressors/bot-in-thread',
    file: 'src/attention/directedness.ts',
    from: 'repliesTo !== agent.key && !participates(heard, agent)) return BY.reply;',
    to: 'repliesTo !== agent.key) return BY.reply;',
  },
  {
    row: 'TC/loop-guard/five-since-human',
    file: 'src/attention/peer-turns.ts',
    from: 'MAX_PEER_TURNS = 5;',
    to: 'MAX_PEER_TURNS = 4;',
  },
  {
    row: 'TC/loop-guard/human-resets',
    file: 'src/attention/peer-turns.ts',
    from: 'pairs: pairs.filter(({ b }) => b !== EVERYBODY)',
    to: 'pairs',
  },
];
