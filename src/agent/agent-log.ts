// Where the agent side says what went wrong. Quiet by default about what is normal, never about what an author has to
// know: a refused token, a handler that threw.

export interface AgentLog {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const consoleLog: AgentLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(`earshot: ${message}`, fields),
  error: (fields, message) => console.error(`earshot: ${message}`, fields),
};
