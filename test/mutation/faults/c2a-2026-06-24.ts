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
    from: "return send.mode === 'left' && !isOwed(send) ? wireError('left') : undefined;",
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
];
