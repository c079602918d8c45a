// What the guide remembers in this browser: which step, which are done, whether its card is open.
export interface GuideMemory {
  open: boolean;
  index: number;
  done: readonly string[];
  /** Messages up to this time are not of the step. */
  since: string;
}

const KEPT = 'earshot.guide';
const FRESH: GuideMemory = { open: true, index: 0, done: [], since: '' };

export function recallGuide(): GuideMemory {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<GuideMemory>;
    return {
      open: kept.open ?? FRESH.open,
      index: Number.isInteger(kept.index) ? (kept.index ?? 0) : 0,
      done: Array.isArray(kept.done) ? kept.done : [],
      since: typeof kept.since === 'string' ? kept.since : '',
    };
  } catch {
    // Somebody else wrote there: begin anew.
    return FRESH;
  }
}

export function rememberGuide(memory: GuideMemory): void {
  localStorage.setItem(KEPT, JSON.stringify(memory));
}
