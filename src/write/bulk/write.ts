/** Writes steps of one kind by one command, and counts what it did. */
import type { ModelActor } from '../../context.ts';
import { tooMany } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { modelOf, type ObjectId } from '../../models/mongoose.ts';
import { userData } from '../../ports/core.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import { sessionOf, writerOf } from '../commit.ts';
import type { Images, ListedMutation, ListOutcome, MutationList } from '../contract.ts';
import { wantsImages } from '../mutation/images.ts';
import { byId, faultIndex } from '../mutation/mutation-list.ts';
import { performAll } from '../perform.ts';
import { namesOne } from '../rules/discriminator.ts';
import { transaction } from '../transaction.ts';
import type { BulkActor } from './actor.ts';
import { type BulkCounts, faultAt } from './result.ts';
import type { CommandStep } from './step-types.ts';

/** Maximum documents that are read together. */
const maxImages = 2000;

/** The documents that steps may change; undefined when there are too many. */
async function imagesBefore(actor: ModelActor, steps: readonly CommandStep[]): Promise<Images | undefined> {
  const options = { limit: maxImages + 1, batchSize: maxImages + 1, ...sessionOf(actor) };
  const rows = await modelOf(actor.model).collection.find(anyOf(steps), options).toArray();
  return rows.length > maxImages ? undefined : byId(rows);
}

/** The documents that a step may change. The command checks the rights again, so ids suffice here. */
function anyOf(steps: readonly CommandStep[]): Filter {
  const filters = steps.map(({ filter }) => filter);
  const ids = filters.filter(namesOne).map(({ _id }) => _id);
  const others = filters.filter((filter) => !namesOne(filter));
  return others.length === 0 ? { _id: { $in: ids } } : { $or: [{ _id: { $in: ids } }, ...others] };
}

/** @returns how many documents matched @throws Failure naming the operation, after the changes before it have been published */
export async function write(actor: BulkActor, steps: readonly CommandStep[], counts: BulkCounts): Promise<number> {
  const { model, services } = actor;
  const [first] = steps;
  if (first?.isNamed === true && first.fresh !== undefined && first.onlyMakes !== true)
    return makeOrChange(actor, first, counts);
  const isOfUsers = model.name === 'user';
  const removesPermanently = steps.some((step) => step.removesPermanently);
  // the audit log has changes of users, and the ids of documents that are deleted permanently
  const isNeeded = wantsImages(services, model) || isOfUsers || removesPermanently;
  // a new document has no image before
  const areImagesWanted = first?.kind !== 'insert' && first?.onlyMakes !== true && isNeeded;
  const before = areImagesWanted ? await imagesBefore(actor, steps) : undefined;
  if (areImagesWanted && before === undefined) return inPieces(actor, steps, counts);
  const sendings = steps.flatMap((step) => sendingsOf(model, step));
  const list: MutationList = {
    model,
    mutations: sendings.map(({ mutation }) => mutation),
    before,
    maxTimeMS: actor.timeLeft(),
  };
  const removesUsers = isOfUsers && removesPermanently && before !== undefined;
  const sending = removesUsers ? commitRemoving(actor, list, before) : performAll(actor, actor.intent, list);
  const outcome = await sending.catch((error: unknown) => {
    throw faultAt(error, (sendings[faultIndex(error) ?? 0] ?? sendings[0])?.step.at ?? 0, counts);
  });
  count(sendings, outcome, counts);
  if (outcome.error !== undefined) throw faultAt(outcome.error, sendings[outcome.done]?.step.at ?? 0, counts);
  return outcome.matched;
}

/**
 * An upsert that names the id of its document, by two writes: only the answer to the first one distinguishes the document that it has made
 * from one with this id that was made in the same millisecond.
 */
async function makeOrChange(actor: BulkActor, step: CommandStep, counts: BulkCounts): Promise<number> {
  const madeBefore = counts.nUpserted;
  await write(actor, [{ ...step, onlyMakes: true }], counts);
  if (counts.nUpserted > madeBefore) return 0;
  const { fresh, ...change } = step;
  return write(actor, [change], counts);
}

/** Runs steps one at a time, each by the ids of its documents, because there may be too many documents to read at once. */
async function inPieces(actor: BulkActor, steps: readonly CommandStep[], counts: BulkCounts): Promise<number> {
  let matched = 0;
  const [first] = steps;
  if (first === undefined || steps.length > 1) {
    for (const step of steps) matched += await write(actor, [step], counts);
    return matched;
  }
  const { collection } = modelOf(actor.model);
  const { fresh, ...step } = first;
  const found = collection.find(step.filter, {
    projection: { _id: 1 },
    limit: step.many ? maxInPieces + 1 : 1,
    ...sessionOf(actor),
  });
  const ids = (await found.toArray()).map(({ _id }) => _id);
  if (ids.length > maxInPieces) throw faultAt(tooMany('documents of one operation', maxInPieces), step.at, counts);
  for (let at = 0; at < ids.length; at += pieceSize) {
    const piece = ids.length === 1 ? ids[0] : { $in: ids.slice(at, at + pieceSize) };
    matched += await write(actor, [{ ...step, filter: allOf([{ _id: piece }, step.filter]) }], counts);
  }
  // another caller may have changed or removed the documents
  const isDone = matched > 0 || (step.many && fresh === undefined);
  return isDone ? matched : write(actor, steps, counts);
}

const pieceSize = 1000;
/** Documents of one operation whose changes are published or recorded one by one. */
const maxInPieces = 100_000;

interface Sending {
  readonly step: CommandStep;
  readonly mutation: ListedMutation;
}

/** Removes users with the server's data about them. @param before the users that may be removed */
const commitRemoving = (actor: BulkActor, list: MutationList, before: Images): Promise<ListOutcome> =>
  transaction(actor, async (inner) => {
    const outcome = await performAll(inner, actor.intent, list);
    const ids = [...before.values()].map(({ _id }) => _id as ObjectId);
    const options = { projection: { _id: 1 }, ...sessionOf(inner) };
    const left = await modelOf(actor.model)
      .collection.find({ _id: { $in: ids } }, options)
      .toArray();
    const staying = new Set(left.map(({ _id }) => String(_id)));
    await actor.services.of(userData).removeAll(
      ids.filter((id) => !staying.has(String(id))),
      writerOf(inner, actor.intent),
    );
    return outcome;
  });

/** Splits an upsert into two mutations: one creates the document if there is none, the other changes existing ones. */
function sendingsOf(model: ModelEntry, step: CommandStep): readonly Sending[] {
  const { kind, filter, fresh, act, onlyMakes } = step;
  if (kind === 'insert' || fresh === undefined) return [{ step, mutation: act(filter) }];
  const { _id, createdAt } = fresh;
  const making: Sending = { step, mutation: { kind: 'insert', model, rows: [fresh], unless: filter } };
  if (onlyMakes === true) return [making];
  return [making, { step, mutation: act({ $and: [filter, { $nor: [{ _id, createdAt }] }] }) }];
}

function count(sendings: readonly Sending[], { made, matched, modified }: ListOutcome, counts: BulkCounts): void {
  const kind = sendings[0]?.step.kind;
  const ids = kind === 'insert' ? counts.insertedIds : counts.upsertedIds;
  for (const [at, id] of made) ids[String(sendings[at]?.step.at)] = String(id);
  if (kind === 'insert') counts.nInserted += made.size;
  else counts.nUpserted += made.size;
  if (kind === 'delete') counts.nRemoved += matched;
  else counts.nMatched += matched;
  counts.nModified += kind === 'delete' ? 0 : modified;
}
