/**
 * Random models and random writes by every way: histories, webhooks, the audit log, events and `changed` report each change of a document,
 * with the document as it was stored before and after, and nothing of what is refused. `STORIES=200` runs more models; `STORIES_SEED` repeats
 * the one that a failure names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic, emailOf, makeUsers, passwordOf } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import type { Json } from '../support/stories/bodies.ts';
import { checkWrite, type Documents } from '../support/stories/check.ts';
import { markFile, type ModelPlan, noteFile, planModel } from '../support/stories/models.ts';
import { choicesFrom } from '../support/stories/random.ts';
import { Reporters } from '../support/stories/reports.ts';
import { type WayParts, writeSomehow } from '../support/stories/ways.ts';

const { STORIES: stories = '8', STORIES_SEED: first = '1', STORIES_WRITES: writes = '35' } = process.env;
const seeds = Array.from({ length: Number(stories) }, (_, nth) => [Number(first) + nth] as const);

/** Of which models the documents of a model have links. */
const links: Readonly<Record<string, readonly string[]>> = { thing: ['thing'], item: ['thing'] };

async function storedIn({ dossier }: TestServer, plans: readonly ModelPlan[]): Promise<Documents> {
  const { connection, registry } = dossier.services;
  const all = plans.map(async ({ name }) => {
    const rows = (await connection.collection(registry.get(name).collection).find().toArray()) as Json[];
    return [name, new Map(rows.map((row) => [String(row['_id']), row]))] as const;
  });
  return new Map(await Promise.all(all));
}

const idsIn = (documents: Documents): WayParts['ids'] =>
  Object.fromEntries([...documents].map(([name, rows]) => [name, [...rows.keys()]]));

// without transactions, what a refused write has done stays
needs('transactions').each(seeds)(
  'all that reports writes reports the same: seed %i',
  async (seed) => {
    const random = choicesFrom(seed);
    const plans = Object.entries(links).map(([name, to]) => planModel(name, to, random));
    const server = await startServer({
      models: {
        ...Object.fromEntries(plans.map(({ name, file }) => [`${name}.js`, file])),
        ...{ 'note.js': noteFile, 'mark.js': markFile },
      },
      ...{ mcp: 'write', webhook: { allow: ['127.0.0.1'] } },
    });
    await makeUsers(server, ['root', 'ann']);
    const reporters = await Reporters.open(server, plans);
    const folder = await mkdtemp(join(tmpdir(), 'dossier-stories-'));
    const requests: string[] = [];
    try {
      let before = await storedIn(server, plans);
      for (let nth = 0; nth < Number(writes); nth++) {
        const plan = random.oneOf(plans);
        const parts: WayParts = {
          ...{ server, folder, random, plan, links: links[plan.name] ?? [], ids: idsIn(before) },
          reader: basic(emailOf('ann'), passwordOf('ann')),
          deleted: [...(before.get(plan.name) ?? [])].filter(([, row]) => row['_deleted'] === true).map(([id]) => id),
          hasTransactions: server.dossier.services.isReplicaSet,
          revisions: (id) => reporters.revisionsOf(plan.name, id),
        };
        const since = new Date();
        const written = await writeSomehow(parts);
        requests.push(`${written.status} ${written.request}`);
        const reports = await reporters.read(since);
        const after = await storedIn(server, plans);
        checkWrite(plans, [before, after], written, reports);
        before = after;
      }
    } catch (error) {
      throw storyError(error, { seed, plans, requests });
    } finally {
      reporters.close();
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
  180_000,
);

interface Told {
  readonly seed: number;
  readonly plans: readonly ModelPlan[];
  readonly requests: readonly string[];
}

/** A failure with what repeats it. */
function storyError(error: unknown, { seed, plans, requests }: Told): Error {
  const files = plans.map(({ name, file, hasWebhook }) => `${name}${hasWebhook ? ', with a webhook' : ''}: ${file}`);
  const text = error instanceof Error ? error.message : String(error);
  const last = requests.slice(-3).join('\n');
  return new Error(`STORIES_SEED=${seed} STORIES=1, write ${requests.length}\n${last}\n${text}\n${files.join('\n')}`, {
    cause: error,
  });
}
