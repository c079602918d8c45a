// What `check` says of rows that nothing moves, in the same words for every store. A row that is not over has a due time,
// or somebody who comes for it: a source that pulls, a harness, the row in front of it, an open offer.

export function cannotMove(what: string): string {
  return `${what} has no due time, and nothing will ever move it: restart the host, and it is due again`;
}

export function offerCannotMove(key: string): string {
  return `offer ${key} has no due time, and no other holder will get it: answer or resolve the event by hand`;
}

export function endedButDue(what: string): string {
  return `${what} has ended and is still due: restart the host, and it is cleared`;
}
