// Runs work after every callback that is already due, as a port: work that collects until then is done at once.
// `nextTurn` uses Node's event loop; a simulator passes its own.

export type Schedule = (run: () => void) => void;

export const nextTurn: Schedule = (run) => {
  setImmediate(run);
};
