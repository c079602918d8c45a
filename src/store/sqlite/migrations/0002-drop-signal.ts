// The table `signal` was never written or read: an agent's reaction is set once because its outbox row has a key of
// its own. The table and its index go.
export const dropSignal = 'DROP TABLE signal;';
