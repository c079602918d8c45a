// Presses, shortcuts and slash commands over HTTP: forms, signed as events are. Slack does not send them again; a person
// whose request failed reads that in Slack.
import { type Refusable, refusalOf } from '../signed-request.ts';
import type { SurfaceAnswer, SurfaceRequest } from '../surface.ts';
import type { ActTaken, TakeAct } from './take-act.ts';
import { alone } from './tell-alone.ts';

export async function takeAction(
  deps: Refusable & { takeAct: TakeAct },
  request: SurfaceRequest,
): Promise<SurfaceAnswer> {
  const refused = await refusalOf(deps, request);
  if (refused !== undefined) return refused;
  const form = new URLSearchParams(Buffer.from(request.body).toString('utf8'));
  if (form.has('ssl_check') && !form.has('command')) return { status: 200 }; // Slack asks who is there
  if (form.has('command')) {
    const body = Object.fromEntries(form);
    return answerTo(await deps.takeAct({ kind: 'command', body, takesAnswer: true }));
  }
  const body = jsonOf(form.get('payload'));
  if (body === undefined) {
    deps.host.ignored('malformed');
    const problem = form.has('payload') ? 'payload: not JSON' : 'payload: missing, and so is command';
    return { status: 400, body: problem };
  }
  return answerTo(await deps.takeAct({ kind: 'interaction', body, takesAnswer: false }));
}

function answerTo(taken: ActTaken): SurfaceAnswer {
  switch (taken.type) {
    case 'done':
      if (taken.answer === undefined) return { status: 200 };
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(alone(taken.answer)),
      };
    case 'later':
      return { status: 503, body: taken.why };
    case 'malformed':
      return { status: 400, body: taken.problem };
  }
}

function jsonOf(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
