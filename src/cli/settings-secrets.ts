// Secrets in the text of earshot.yaml: what requests to sources and webhooks are signed with. The page and the stored
// versions show `kept` instead. Only those characters are replaced, so the rest of the text stays as it was written.
import { isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';

/** Stands for the secret that the source or webhook has now. */
export const KEPT = 'kept';

const LISTS: readonly (readonly [list: string, id: string])[] = [
  ['sources', 'id'],
  ['webhooks', 'agent'],
];

interface Found {
  /** `webhooks nova`: whose secret it is. */
  whose: string;
  node: Scalar & { range: [number, number, number] };
}

export function withoutSecrets(text: string): string {
  return replaced(text, secretsIn(text), () => KEPT);
}

/** A secret that is not known stays `kept`, and the settings are then refused for it. */
export function withSecrets(text: string, known: string): string {
  const values = new Map(secretsIn(known).map(({ whose, node }) => [whose, String(node.value)]));
  const asked = secretsIn(text).filter(({ node }) => node.value === KEPT);
  return replaced(text, asked, ({ whose }) => values.get(whose) ?? KEPT);
}

function replaced(text: string, found: readonly Found[], by: (one: Found) => string): string {
  let result = text;
  // From the end, so that earlier places stay where they are.
  for (const one of found.toSorted((a, b) => b.node.range[0] - a.node.range[0])) {
    const [from, to] = one.node.range;
    result = `${result.slice(0, from)}${by(one)}${result.slice(to)}`;
  }
  return result;
}

function secretsIn(text: string): Found[] {
  const host = parseDocument(text, { prettyErrors: false }).get('host', true);
  if (!isMap(host)) return [];
  return LISTS.flatMap(([list, id]) => {
    const entries = host.get(list, true);
    return isSeq(entries) ? entries.items.flatMap((entry) => secretOf(list, id, entry)) : [];
  });
}

function secretOf(list: string, id: string, entry: unknown): Found[] {
  if (!isMap(entry)) return [];
  const node = entry.get('secret', true);
  if (!isScalar(node) || node.range == null) return [];
  return [{ whose: `${list} ${String(entry.get(id))}`, node: node as Found['node'] }];
}
