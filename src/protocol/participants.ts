// Who an agent is and who is in a conversation with it, as the host says it on the wire. Names are sanitized by whoever
// shows them; they were written by people.
import { z } from 'zod';
import { count, identitySchema, wireAuthorSchema, wireId } from './wire-fields.ts';

export const PARTICIPANT_LIMITS = {
  /** Agents that are named, the asking one among them. */
  agents: 12,
  /** People that are named, by who spoke first. */
  people: 20,
  /** Further names, and roles, of an agent. */
  words: 64,
} as const;

/** In a conversation: the agent itself, other agents, then people. */
export const participantsSchema = z.object({
  participants: z.array(wireAuthorSchema).max(PARTICIPANT_LIMITS.agents + PARTICIPANT_LIMITS.people),
  /** How many more there are. */
  moreParticipants: count,
});
export type WireParticipants = z.infer<typeof participantsSchema>;

/** Who the agent is, from the host's configuration. */
export const agentIdentitySchema = z.object({
  name: wireId.optional(),
  aliases: z.array(wireId).max(PARTICIPANT_LIMITS.words).optional(),
  roles: z.array(wireId).max(PARTICIPANT_LIMITS.words).optional(),
  /** The agent that gets what this one declines or leaves unanswered. */
  lead: identitySchema.optional(),
});
export type WireAgentIdentity = z.infer<typeof agentIdentitySchema>;
