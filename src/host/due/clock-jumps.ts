// Somebody sets the machine's clock, or the machine slept. The host's time goes on (runtime/steady-clock.ts): this says so
// in the log, tells the metrics, and looks at once at what is due now.
import type { Cancel } from '../../runtime/clock.ts';
import type { HostContext } from '../kernel/context.ts';

export function startClockJumps({ store: { clock }, bus, log }: HostContext): Cancel {
  const tell = (jumpMs: number): void => {
    const fields = { jumpMs, aheadMs: clock.aheadMs() };
    if (jumpMs < 0) log.warn(fields, SET_BACK);
    else log.warn(fields, SET_FORWARD);
    bus.publish({ type: 'clock', jumpMs });
    bus.publish({ type: 'due' });
  };
  return clock.onJump(tell);
}

const SET_BACK =
  'the system clock was set back; the host goes on from where it was, at half speed until the clock has caught up';
const SET_FORWARD =
  'the system clock was set forward, or the machine slept; what fell due meanwhile is done now';
