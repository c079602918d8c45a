// What the `ai-sdk` runner throws when a turn has failed. In a file of its own, because agent authors check for it and it
// needs no package.

/** The turn has failed: the host hands its events over again, three times in all. */
export class ModelFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelFailed';
  }
}
