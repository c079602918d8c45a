import { type OpenStore, storeContract } from '../contract/store-contract.ts';
import { codec } from '../contract/store-rows.ts';
import { StoreSchema } from './store-schema.ts';

const opening =
  (lockFirst: boolean): OpenStore =>
  async (clock, log) => {
    const schema = new StoreSchema();
    const open = () => schema.open({ clock, codec, log, lockFirst, ownTime: true });
    let store = await open();
    return {
      store,
      async reopen(changed = {}) {
        await store.close();
        const client = await schema.client();
        for (const [key, text] of Object.entries(changed))
          await client.query('UPDATE state SET text = $1 WHERE key = $2', [text, key]);
        store = await open();
        return store;
      },
      dispose: () => schema.dispose(),
    };
  };

storeContract('postgres, guessing', opening(false));
storeContract('postgres, locking', opening(true));
