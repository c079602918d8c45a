// Bounds of an import. An export comes from somewhere else, so everything that it can make large has a limit.
export const IMPORT_LIMITS = {
  /** One file of the export, unpacked. A zip that says less and unpacks to more is stopped here. */
  fileBytes: 256 * 1_048_576,
  /** All files of a zip, unpacked. */
  totalBytes: 64 * 1_024 * 1_048_576,
  files: 4_000_000,
  /** The list of files in a zip. */
  directoryBytes: 1_024 * 1_048_576,
  /** Folders inside folders that are looked into. */
  depth: 5,
  /** Messages that are held at once. Slack's are read day by day; Discord's have to be brought into order first. */
  heldMessages: 2_000_000,
  /** Names of people and apps that are remembered. */
  names: 1_000_000,
} as const;

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
