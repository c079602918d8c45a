// Sets the mode and the model of a session. Agents offer them in three ways: as modes, as configuration options of a
// category, and (older ones) as a list of models. A value that there is not is told with those that there are.
import { methods } from '@agentclientprotocol/sdk';
import { record, string } from '../read-event.ts';
import { AcpFailed } from './acp-limits.ts';
import type { AcpProcess } from './acp-process.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface AcpSettings {
  mode?: string | undefined;
  model?: string | undefined;
}

interface Choice {
  id: string;
  name: string;
}

interface Offer {
  current: string | undefined;
  choices: readonly Choice[];
  set(program: AcpProcess, sessionId: string, id: string): Promise<unknown>;
}

/** `opened` is the agent's answer to `session/new`, `session/load` or `session/resume`. */
export async function applySettings(
  program: AcpProcess,
  command: string,
  sessionId: string,
  opened: unknown,
  settings: AcpSettings,
): Promise<void> {
  for (const what of ['mode', 'model'] as const) {
    const wanted = settings[what];
    if (wanted === undefined) continue;
    const offer = offerOf(what, record(opened));
    if (offer === undefined)
      throw new AcpFailed(
        `${command} lets no ${what} be chosen over ACP: drop --${what}, or use its own flag after "--"`,
      );
    const found = offer.choices.find(({ id, name }) => isNamed(wanted, id) || isNamed(wanted, name));
    if (found === undefined)
      throw new AcpFailed(
        `${command} has no ${what} "${wanted}": it has ${offer.choices.map(({ id }) => id).join(', ')}`,
      );
    if (found.id !== offer.current) await offer.set(program, sessionId, found.id);
  }
}

function isNamed(wanted: string, name: string): boolean {
  return wanted.toLowerCase() === name.toLowerCase();
}

function offerOf(what: 'mode' | 'model', opened: Fields): Offer | undefined {
  return what === 'mode' ? (modes(opened) ?? option(what, opened)) : (option(what, opened) ?? models(opened));
}

function modes(opened: Fields): Offer | undefined {
  const state = record(opened['modes']);
  const choices = choicesOf(state['availableModes'], 'id');
  if (choices.length === 0) return undefined;
  return {
    current: string(state['currentModeId']),
    choices,
    set: (program, sessionId, modeId) =>
      program.ask((agent) => agent.request(methods.agent.session.setMode, { sessionId, modeId })),
  };
}

function models(opened: Fields): Offer | undefined {
  const state = record(opened['models']);
  const choices = choicesOf(state['availableModels'], 'modelId');
  if (choices.length === 0) return undefined;
  return {
    current: string(state['currentModelId']),
    choices,
    // Not part of the stable protocol, and still the only way of some agents.
    set: (program, sessionId, modelId) =>
      program.ask((agent) => agent.request('session/set_model', { sessionId, modelId })),
  };
}

function option(category: string, opened: Fields): Offer | undefined {
  const found = list(opened['configOptions'])
    .map(record)
    .find((one) => one['category'] === category && one['type'] === 'select');
  const configId = string(found?.['id']);
  if (found === undefined || configId === undefined) return undefined;
  const flat = list(found['options']).flatMap((one) => {
    const group = list(record(one)['options']);
    return group.length > 0 ? group : [one];
  });
  return {
    current: string(found['currentValue']),
    choices: choicesOf(flat, 'value'),
    set: (program, sessionId, value) =>
      program.ask((agent) =>
        agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value }),
      ),
  };
}

function choicesOf(offered: unknown, idField: string): Choice[] {
  return list(offered).flatMap((one) => {
    const fields = record(one);
    const id = string(fields[idField]);
    return id === undefined ? [] : [{ id, name: string(fields['name']) ?? id }];
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
