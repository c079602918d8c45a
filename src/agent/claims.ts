// Tokens of granted claims, by the event claimed: attached to sends by the SDK, never carried by a model. The oldest is
// forgotten beyond the bound; the host would refuse it as lapsed by then.
const KEPT = 1_000;

export function keepClaim(claims: Map<string, number>, eventId: string, token: number): void {
  claims.delete(eventId);
  claims.set(eventId, token);
  const [oldest] = claims.keys();
  if (claims.size > KEPT && oldest !== undefined) claims.delete(oldest);
}
