/** What has changed in a collection since a position (docs/changes.md). */
import {
  type Answer,
  badParameter,
  bytes,
  type Core,
  type Feature,
  letter,
  type ModelContext,
  type ModelEntry,
  monotonicClock,
  type OperationGroup,
  ownService,
  parametersNamed,
  provide,
  shapes,
  textOf,
} from '../../core.ts';
import { hasChanges } from '../../models/entry.ts';
import { walkIntent } from '../../operations/reading/intents.ts';
import { changeFeed } from '../../ports/core.ts';
import { pageWith } from '../../read/index.ts';
import { changesSince } from './changes-since.ts';
import { makePositions, type Places } from './positions.ts';

/** The first pages have documents, later answers have changes. */
const answer = shapes.object(
  {
    data: shapes.listOf({
      anyOf: [
        shapes.documentMark,
        shapes.object(
          { event: { enum: ['post', 'put', 'del'] }, id: shapes.anyValue('An id') },
          { item: shapes.documentMark },
        ),
      ],
    }),
  },
  { limit: shapes.integer, next: shapes.text, next_cursor: shapes.text, position: shapes.text, more: shapes.flag },
);

const changesOf: OperationGroup = {
  title: 'Changes',
  after: 'Events',
  operations: [
    {
      name: 'changes.list',
      http: { method: 'GET', path: '/changes/:model' },
      summary: 'Lists what has changed since a position',
      access: letter('r'),
      hasModel: hasChanges,
      readsMany: true,
      hook: 'get',
      input: { query: parametersNamed('filter', 'fields', 'limit', 'after', 'since') },
      answers: { 200: answer },
      failures: [410],
      run,
    },
  ],
};

async function run(context: ModelContext): Promise<Answer> {
  const { grant, model, query, services } = context;
  const [since, after] = [textOf(query, 'since'), textOf(query, 'after')];
  if (since !== undefined && after !== undefined) throw badParameter('since', 'must not be given with after');
  const places = services.of(makePositions)(context, query);
  if (grant.policy.rows('r') !== 'all') services.of(makeImages)(model);
  if (since === undefined) return bytes(await documents(context, places, after));
  const { position } = places.open(since, 'since');
  return bytes(await changesSince(context, { intent: walkIntent(context), places, position }));
}

/**
 * A page of all documents, in the order of their ids. What changes while the pages are read is found after the position where they
 * began, which the last page has.
 */
async function documents(context: ModelContext, places: Places, after: string | undefined) {
  const { model, services } = context;
  const begun = after === undefined ? undefined : places.open(after, 'after');
  const feed = services.of(changeFeed);
  if (begun === undefined) await feed.ensureDelivered(model);
  const position = begun?.position ?? feed.position();
  const intent = walkIntent(context, begun?.cursor);
  return pageWith(context, intent, ({ limit, next_cursor: cursor }) => {
    const beside = limit === undefined ? {} : { limit };
    if (cursor === undefined) return { ...beside, position: places.seal({ position }) };
    const nextCursor = places.seal({ position, cursor });
    return { ...beside, next: `${intent.pagesAt}after=${encodeURIComponent(nextCursor)}`, next_cursor: nextCursor };
  });
}

export const changes: Feature = {
  name: 'changes',
  operations: [changesOf],
  provides: [provide(ownService, makePositions), provide(ownService, makeImages)],
};

/** Milliseconds after the last request for which a walk is taken to go on. */
const maxPauseMs = 3_600_000;

type AskForImages = (model: ModelEntry) => void;

function makeImages({ services, onClose }: Core): AskForImages {
  const { bus } = services;
  const [elapsed, feed] = [services.of(monotonicClock), services.of(changeFeed)];
  if (feed.shared) return () => undefined;
  const lastAsked = new Map<ModelEntry, number>();
  const stop = bus.subscribe(
    () => undefined,
    (model) => elapsed() - (lastAsked.get(model) ?? -Infinity) < maxPauseMs,
  );
  onClose(() => Promise.resolve(stop()));
  return (model) => void lastAsked.set(model, elapsed());
}
