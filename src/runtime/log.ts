// Structured logs: one JSON object per line, or one readable line on a terminal. The redactor sees everything first: it
// replaces values under a name like `token` whole, and searches every other text for secrets.
import { pino } from 'pino';
import type { Clock } from './clock.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
type Fields = Record<string, unknown>;
export type Log = Record<LogLevel, (fields: Fields, message: string) => void>;

export interface LogOptions {
  write: (line: string) => void;
  level: LogLevel;
  /** For people: one line without JSON. */
  pretty: boolean;
  /** Cuts secrets out of a text. */
  clean: (text: string) => string;
  clock: Pick<Clock, 'now'>;
}

export function createLog({ write, level, pretty, clean, clock }: LogOptions): Log {
  const timestamp = (): string => `,"time":"${new Date(clock.now()).toISOString()}"`;
  const options = {
    level,
    base: null,
    timestamp,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, { write: (line: string) => write(pretty ? readable(line) : line) });
  const at =
    (name: LogLevel) =>
    (fields: Fields, message: string): void => {
      if (!logger.isLevelEnabled(name)) return;
      logger[name](cleanFields(fields, clean, 0), clean(message));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

const SECRET_NAME = /token|secret|authorization|password|passwd|cookie|api[_-]?key/i;
/** Values that are deeper, longer or wider than this are cut: a log line is no dump. */
const LIMITS = { depth: 4, chars: 4_000, entries: 50 };

function cleanFields(fields: object, clean: (text: string) => string, depth: number): Fields {
  const out: Fields = {};
  for (const [key, value] of Object.entries(fields).slice(0, LIMITS.entries)) {
    out[key] =
      SECRET_NAME.test(key) && typeof value === 'string' ? '[redacted]' : cleanValue(value, clean, depth);
  }
  return out;
}

function cleanValue(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return clean(value.slice(0, LIMITS.chars));
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= LIMITS.depth) return '[deeper]';
  if (value instanceof Error) return cleanFields(errorFields(value), clean, depth + 1);
  if (Array.isArray(value)) {
    return value.slice(0, LIMITS.entries).map((item: unknown) => cleanValue(item, clean, depth + 1));
  }
  return cleanFields(value, clean, depth + 1);
}

function errorFields(error: Error): Fields {
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: error.code } : {};
  return { name, message, ...code, stack, ...(cause === undefined ? {} : { cause }) };
}

/** `12:01:02 warn  a send failed for good  key=lead:k1` */
function readable(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Fields;
  const pairs = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const failure = isFields(err) ? [`(${String(err['message'])})`] : [];
  const words = [
    String(time).slice(11, 19),
    String(level).padEnd(5),
    typeof msg === 'string' ? msg : '',
    ...failure,
    ...pairs,
  ];
  return `${words.join(' ').replaceAll('\n', ' ')}\n`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
