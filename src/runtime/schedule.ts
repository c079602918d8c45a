// One turn of the event loop, as a port: work that collects until every callback already due has run.
// `nextTurn` is Node's; a simulator passes its own.

export type Schedule = (run: () => void) => void;

export const nextTurn: Schedule = (run) => {
  setImmediate(run);
};
