// Packages that only some users need are not installed with Earshot. Whoever needs one loads it through this file, so
// that a missing package is told in one line that says what to run.
import { PEER_MAJORS } from './manifest.ts';

export type OptionalPackage = keyof typeof PEER_MAJORS;

export class PackageMissing extends Error {
  constructor(packages: readonly OptionalPackage[], options?: ErrorOptions) {
    const named = packages.length === 1 ? 'the package' : 'the packages';
    const specs = packages.map((name) => `${name}@${PEER_MAJORS[name]}`);
    super(`this needs ${named} ${packages.join(' and ')}. Run: npm i ${specs.join(' ')}`, options);
    this.name = 'PackageMissing';
  }
}

/** `load` imports these packages, or files of ours that do. Every package is named, so that one `npm i` is enough. */
export async function loadOptional<T>(
  packages: readonly OptionalPackage[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!packages.some((name) => isMissing(error, name))) throw error;
    throw new PackageMissing(packages, { cause: error });
  }
}

/** Only the package itself: what one of its own dependencies lacks is another fault. */
function isMissing(error: unknown, name: OptionalPackage): boolean {
  if (!(error instanceof Error)) return false;
  return (
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.startsWith(`Cannot find package '${name}'`)
  );
}
