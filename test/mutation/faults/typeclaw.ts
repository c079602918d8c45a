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
    from: '    ...notices(input, context),\n',
    to: '',
  },
  {
    row: 'TC/membership/fresh-for-60-seconds',
    file: 'src/attention/participants.ts',
    from: 'record.at - read.at < limits.membershipFreshMs',
    to: 'record.at - read.at <= limits.membershipFreshMs',
  },
];
