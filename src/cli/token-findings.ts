// Tokens of a running host that were written in chat and revoked for it, for `earshot doctor`. A line stays until its
// owner has a new token.
import type { Finding } from './agent-findings.ts';
import { type HostClient, listIn } from './host-client.ts';
import { CommandError } from './io.ts';

interface ShownToken {
  key: string;
  kind: string;
  subject: string;
  createdAt: string;
  revokedAt: string | null;
  leaked?: boolean;
}

export async function tokenFindings(host: HostClient): Promise<Finding[]> {
  let all: readonly ShownToken[];
  try {
    all = listIn<ShownToken>(await host.call('GET', '/v1/tokens'), 'tokens');
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ what: 'tokens', ok: false, said: error.message }];
  }
  return all.filter((one) => one.leaked === true && !isReplaced(one, all)).map(leakOf);
}

function isReplaced({ kind, subject, revokedAt }: ShownToken, all: readonly ShownToken[]): boolean {
  return all.some(
    (one) =>
      one.kind === kind &&
      one.subject === subject &&
      one.revokedAt === null &&
      one.createdAt >= (revokedAt ?? ''),
  );
}

function leakOf({ key, kind, subject }: ShownToken): Finding {
  return {
    what: 'tokens',
    ok: false,
    said: `the token of ${kind} ${subject} (${key}) was written in chat and is revoked`,
    fix: `earshot token create --kind ${kind} --subject ${subject}`,
  };
}
