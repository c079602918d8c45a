// Changes keys of earshot.yaml and keeps its comments and its order. The page's form sends such changes.
import { isCollection, isSeq, parseDocument, YAMLMap } from 'yaml';
import type { SettingsEdit } from '../protocol/settings-api.ts';
import { CommandError } from './io.ts';

export function editYaml(text: string, edits: readonly SettingsEdit[]): string {
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken !== undefined) throw new CommandError(1, `not valid YAML: ${broken.message}`);
  for (const edit of edits) {
    const path = [...edit.path];
    if (edit.op === 'set') document.setIn(path, flowFor(edit.value, document));
    else if (edit.op === 'remove') removeAt(document, path);
    else addAt(document, path, edit.value, edit.before);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

type Parsed = ReturnType<typeof parseDocument>;

/** Lists of words stand on one line: `roles: [oncall]`. */
function flowFor(value: unknown, document: Parsed): unknown {
  const node = document.createNode(value);
  if (isSeq(node) && Array.isArray(value) && value.every((one) => typeof one !== 'object')) node.flow = true;
  return node;
}

function addAt(document: Parsed, path: (string | number)[], value: unknown, before?: number): void {
  if (!isSeq(document.getIn(path, true))) document.setIn(path, document.createNode([]));
  const list = document.getIn(path, true);
  if (isSeq(list)) list.items.splice(before ?? list.items.length, 0, entryFor(value, document));
}

/** An entry whose lists stand on one line each. */
function entryFor(value: unknown, document: Parsed): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return flowFor(value, document);
  const entry = new YAMLMap<string>();
  for (const [key, one] of Object.entries(value)) entry.set(key, flowFor(one, document));
  return entry;
}

/** A list or a map that is empty after it goes too, so that no `budget: {}` is left. */
function removeAt(document: Parsed, path: (string | number)[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const above = path.slice(0, -1);
  const rest = document.getIn(above, true);
  if (above.length > 1 && isCollection(rest) && rest.items.length === 0) document.deleteIn(above);
}
