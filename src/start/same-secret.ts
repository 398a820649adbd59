/**
 * Whether the secret is the one of the data: digests of the secrets that servers of a database have are kept in it. With another secret all sessions,
 * API keys, JWTs, second factors and secrets of webhooks are lost, so a start with another one stops until it is accepted. All of these
 * belong to accounts: where there is none, nothing would be lost.
 */
import { makeDigest, type Secrets } from '../adapters/sealing.ts';
import { type Collection, internalCollection } from '../models/mongoose.ts';
import type { Registry } from '../models/registry.ts';
import { SettingsError } from '../settings/read.ts';
import type { Settings } from '../settings/types.ts';

/** The digests of the secrets, the newest first, as the last server with a new one had them. */
interface SecretRow {
  readonly _id: string;
  readonly at: Date;
  readonly digests: readonly string[];
}

/** Characters of a digest that accept its secret. */
const codeLength = 12;

interface Parts {
  readonly registry: Registry;
  readonly secrets: Secrets;
  readonly clock: () => Date;
  readonly settings: Pick<Settings, 'shared_secret' | 'shared_secret_accept' | 'data_dir'>;
}

/**
 * Compares the secret with the kept one.
 * @returns keeps its digest, at the end of the preparations of a start
 * @throws SettingsError for another secret that neither continues the kept one nor is accepted
 */
export async function checkSecret({ registry, secrets, clock, settings }: Parts): Promise<() => Promise<void>> {
  const rows: Collection<SecretRow> = internalCollection(registry, '_setup');
  const _id = 'secret';
  const digests = secrets.map((secret) => makeDigest(secret, 'secret of a database')(_id));
  const [newest = ''] = digests;
  const kept = async (): Promise<readonly string[] | undefined> => (await rows.findOne({ _id }))?.digests;
  const refuseOther = (others: readonly string[]): void => {
    const isKnown = digests.some((digest) => others.includes(digest));
    const code = newest.slice(0, codeLength);
    if (!isKnown && settings.shared_secret_accept !== code) throw new SettingsError([otherSecret(settings, code)]);
  };
  const before = await kept();
  if (before !== undefined && (await hasAccounts(registry))) refuseOther(before);
  return async () => {
    const row = { at: clock(), digests };
    if (before === undefined) {
      // another server may start for the first time, too
      await rows.updateOne({ _id }, { $setOnInsert: row }, { upsert: true });
      refuseOther((await kept()) ?? digests);
    }
    // a server that still has the secret before a rotation only leaves what the others have kept
    const isOlder = before?.includes(newest) === true && before[0] !== newest;
    const isKept = before === undefined || String(before) === String(digests);
    if (!isOlder && !isKept) await rows.updateOne({ _id }, { $set: row });
  };
}

const hasAccounts = async (registry: Registry): Promise<boolean> =>
  (await internalCollection(registry, '_account').findOne({}, { projection: { _id: 1 } })) !== null;

function otherSecret({ shared_secret, data_dir }: Parts['settings'], code: string): string {
  const [what, cure] =
    shared_secret === undefined
      ? [
          `the secret in ${data_dir}`,
          `Restore the file "secret" of ${data_dir} from a backup, or set SHARED_SECRET to the secret of these data`,
        ]
      : ['it', 'Set it to the secret of these data, or set SHARED_SECRET_PREVIOUS to that one'];
  return (
    `SHARED_SECRET: ${what} is not the secret of these data. With it all sessions, API keys, JWTs, second factors and secrets of webhooks would end. ` +
    `${cure}. To go on without them, set SHARED_SECRET_ACCEPT=${code}`
  );
}
