// Faults in what keeps the rows of the short C2A draft.
import type { Fault } from '../fault.ts';

export const SHORT_FAULTS: readonly Fault[] = [
  {
    row: 'C2A-06-24/event/addressed-to-me',
    file: 'src/protocol/project.ts',
    from: "addressedToMe: delivery.directedness === 'to_me',",
    to: "addressedToMe: delivery.directedness !== 'ambient',",
  },
  {
    row: 'C2A-06-24/mode/notify-withholds',
    file: 'src/protocol/project.ts',
    from: "if (mode === 'notify') event.knock = knockFor({ ...delivery, policy, conversation });",
    to: "event.content = delivery.text; if (mode === 'notify') event.knock = knockFor({ ...delivery, policy, conversation });",
  },
  {
    row: 'C2A-06-24/leave/stays-out',
    file: 'src/attention/modes.ts',
    from: 'if (entry.key === agent.key && entry.mode !== null) return entry.mode;',
    to: "if (entry.key === agent.key && entry.mode !== null && entry.mode !== 'left') return entry.mode;",
  },
  {
    row: 'C2A-06-24/leave/no-arguing',
    file: 'src/host/send/send-rules.ts',
    from: "return askedToo ? undefined : wireError('left');",
    to: 'return undefined;',
  },
  {
    row: 'C2A-06-24/talk/claimed-stay-out',
    file: 'src/host/send/send-rules.ts',
    from: "if (!may.ok && decided?.directedness !== 'to_me') {",
    to: "if (!may.ok && decided?.directedness === 'to_me') {",
  },
  {
    row: 'C2A-06-24/talk/claim-before-reply',
    file: 'src/host/send/send-rules.ts',
    from: "return needs && !holdsClaim(send) ? wireError('claim_first') : undefined;",
    to: 'return undefined;',
  },
  {
    row: 'C2A-06-24/talk/one-responder',
    file: 'src/attention/injection.ts',
    from: "if (handling.policy === 'must_respond' && !isFirstNamed(heard, agent)) {",
    to: "if (handling.policy === 'must_respond' && isFirstNamed(heard, agent)) {",
  },
  {
    row: 'C2A-06-24/loops/never-own-message',
    file: 'src/attention/attend-message.ts',
    from: 'agents.filter((agent) => agent.key !== heard.author.key);',
    to: "agents.filter((agent) => agent.key !== '');",
  },
  {
    row: 'C2A-06-24/loops/escalates-once',
    file: 'src/attention/agent-talk.ts',
    from: 'if (stopped && judged.cause !== null && (before?.stopped ?? null) === null)',
    to: 'if (stopped && judged.cause !== null)',
  },
  {
    row: 'C2A-06-24/loops/escalates-to-a-human',
    file: 'src/attention/agent-talk.ts',
    from: "return { type: 'escalate', eventId, why: 'loop_stopped', cause, agents, people: heard.humans.count };",
    to: "return { type: 'escalate', eventId, why: 'loop_stopped', cause, agents: [], people: heard.humans.count };",
  },
  {
    row: 'C2A-06-24/loops/only-something-new',
    file: 'src/agent/rules.ts',
    from: ' Reply with new information, a question or an action.',
    to: '',
  },
  {
    row: 'C2A-06-24/policy/one-of-three',
    file: 'src/protocol/short-event.ts',
    from: "  may_respond: 'may_respond',",
    to: "  may_respond: 'must_respond',",
  },
  {
    row: 'C2A-06-24/leave/one-acknowledgement',
    file: 'src/attention/modes.ts',
    from: "effects.push({ type: 'acknowledge', agent: agent.id, eventId, template, mode, language });",
    to: '',
  },
  {
    row: 'C2A-06-24/leave/returns-on-mention',
    file: 'src/attention/modes.ts',
    from: "if (agent === undefined || modeOf(heard, agent) !== 'left') return obeyed;",
    to: "if (agent === undefined || modeOf(heard, agent) === 'left') return obeyed;",
  },
  {
    row: 'C2A-06-24/leave/thread-on-request',
    file: 'src/attention/modes.ts',
    from: "if (template === 'leave') return 'left';",
    to: "if (template === 'leave') return 'auto';",
  },
  {
    row: 'C2A-06-24/buffered/waits-for-typing',
    file: 'src/host/deliver/composer.ts',
    from: "this.#fold(conversation, { type: 'typing', author: key, typing, at: this.#now() });",
    to: '',
  },
  {
    row: 'C2A-06-24/edits/deleted-before-response',
    file: 'src/host/attend/amend.ts',
    from: 'const agents = commit.context.attention.agents.map(({ id }) => id);',
    to: 'const agents: string[] = [];',
  },
  {
    row: 'C2A-06-24/signal/zero-turn',
    file: 'src/host/delivery/signal-disposition.ts',
    from: '  return settle(row, disposition, signal, now);',
    to: '  return undefined;',
  },
  {
    row: 'C2A-06-24/mode/digest-rolls-up',
    file: 'src/host/due/digest.ts',
    from: 'if (at === undefined || at > now) return;',
    to: 'if (at === undefined) return;',
  },
  {
    row: 'C2A-06-24/mode/immediate-interrupts',
    file: 'src/agent/conversation.ts',
    from: "if (interrupts === 'anytime') this.#interrupt(held);",
    to: 'if (interrupts === undefined) this.#interrupt(held);',
  },
  {
    row: 'C2A-06-24/security/not-from-agents-either',
    file: 'src/agent/fence.ts',
    from: "const [first = '', ...rest] = quoted(text).split('\\n');",
    to: "const [first = '', ...rest] = text.split('\\n');",
  },
];
