// What people do on a platform that is no message: they press a button under a question of the host, or give a command.
// The answer is for whoever did it alone. Who may decide is looked up here, by the platform's own id of the person.
import { HttpError } from '../http/http-error.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import type { Committer } from '../ingest/committer.ts';
import type { HostContext } from '../kernel/context.ts';
import { messageBodyOf, textWithFiles } from '../outbox/outbox-row.ts';
import { sendWithKey } from '../outbox/parts.ts';
import type { QuestionEnds } from '../send/question-ends.ts';
import { accountOf, type Grants } from '../security/pairing.ts';
import { redact } from '../security/redact.ts';
import type { ActAnswer, Surface, SurfaceAct } from '../../surfaces/surface.ts';
import { approve, decline } from './approvals.ts';
import { runCommand } from './chat-commands.ts';

export interface SurfaceActDeps {
  context: HostContext;
  committer: Committer;
  grants: Pick<Grants, 'rolesOf'>;
  surface: (id: string) => Surface | undefined;
  questionEnds: Pick<QuestionEnds, 'show'>;
}

export function createSurfaceActs(
  deps: SurfaceActDeps,
): (surface: string, act: SurfaceAct) => Promise<ActAnswer> {
  return async (surface, act) => {
    const text =
      act.type === 'choose' ? await choose(deps, surface, act) : await runCommand(deps, surface, act);
    return { text };
  };
}

type Choose = Extract<SurfaceAct, { type: 'choose' }>;

async function choose(deps: SurfaceActDeps, surface: string, act: Choose): Promise<string> {
  const { context } = deps;
  const asked = await sendWithKey(context.store, act.question);
  const approval = asked?.row.surface === surface ? messageBodyOf(asked.row).approval : undefined;
  if (approval === undefined) return 'This question is not known here any more.';
  if (!mayApprove(deps, act))
    return 'You may not decide this. It takes a person with the role of an owner or operator here (earshot pair), or the inbox.';
  try {
    return await decide(deps, act, approval);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // The buttons should be gone. Showing that may have failed.
    deps.questionEnds.show(approval);
    return error.message;
  }
}

async function decide(deps: SurfaceActDeps, act: Choose, approval: string): Promise<string> {
  const item = inboxKeys.approval(approval);
  const { person, personName: name = person } = act;
  const who = { who: `human:${accountOf(actingIn(act))}`, name };
  switch (act.choice) {
    case 'approve':
      await approve(deps.context, item, who);
      return 'Approved. It is posted now.';
    case 'decline':
      await decline(deps, item, who);
      return 'Declined. The agent is told.';
    case 'show':
      return waitingText(deps, approval);
    default:
      return 'There is no such choice.';
  }
}

async function waitingText({ context }: SurfaceActDeps, approval: string): Promise<string> {
  const row = await context.store.get('outbox', approval);
  if (row === undefined) return 'It is gone.';
  const text = textWithFiles(row);
  return `${row.agent} wants to say:\n\n${redact(text, context.findSecrets(text))}`;
}

/** By account, or by a role that a pairing code granted. */
function mayApprove({ context, grants }: SurfaceActDeps, act: SurfaceAct): boolean {
  const acting = actingIn(act);
  const roles = grants.rolesOf(acting).map((role) => `role:${role}`);
  const { approvers } = context.settings;
  return [accountOf(acting), ...roles].some((one) => approvers.includes(one));
}

function actingIn({ place: { platform, workspaceId }, person }: SurfaceAct) {
  return { platform, workspaceId, author: { id: person } };
}
