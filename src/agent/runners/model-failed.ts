// What the `ai-sdk` runner throws when a turn has failed. In a file of its own, because agent authors check for it and it
// needs no package.

/** The turn has failed: the host hands its events over again, with growing pauses, for ten minutes. */
export class ModelFailed extends Error {
  /** False when the same request would fail again, so that the host does not try. */
  readonly retryable: boolean;

  constructor(message: string, retryable = true) {
    super(message);
    this.name = 'ModelFailed';
    this.retryable = retryable;
  }
}
