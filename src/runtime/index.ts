// The public surface of `earshot/runtime`: the clock, the randomness and the log that a host or an agent is given.
export { type Cancel, type Clock, systemClock, VirtualClock } from './clock.ts';
export { type ClockJumps, type SteadyClock, steadyClock, watchClock } from './steady-clock.ts';
export { createLog, type Log, LOG_LEVELS, type LogLevel, type LogOptions, silentLog } from './log.ts';
export { VERSION } from './manifest.ts';
export { type OptionalPackage, PackageMissing } from './optional-package.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
