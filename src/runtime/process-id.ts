// The id of this process. A store writes it into its lock file, so another process can say who holds the store.
export const processId: number = process.pid;
