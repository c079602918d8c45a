// Which process this is, for the one who holds a file and for the message to the one who does not.
export const processId: number = process.pid;
