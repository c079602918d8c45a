// The methods of the wire, on a host whose store may fail. The transport knows nothing of stores and would answer
// `internal`; the caller must hear when to call again.
import type { RpcHandler, RpcHandlers } from '../../transport/requests.ts';
import { storeWireError } from '../kernel/store-refusal.ts';

/** A method whose change the store could not take is refused with when to call again. */
export function orStoreRefusal(handlers: RpcHandlers): RpcHandlers {
  const guarded = Object.entries(handlers).map(([name, run]): [string, RpcHandler] => [
    name,
    async (params, call) => {
      try {
        return await run(params, call);
      } catch (error) {
        const refusal = storeWireError(error);
        if (refusal === undefined) throw error;
        return { ok: false, error: refusal };
      }
    },
  ]);
  return Object.fromEntries(guarded);
}
