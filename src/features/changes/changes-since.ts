/** What has changed in the documents that a caller may read, since a position. */
import type { EncodedAnswer, ModelActor } from '../../core.ts';
import { historyGone } from '../../errors/errors.ts';
import { jsonId } from '../../models/fields/id-types.ts';
import { changeFeed } from '../../ports/core.ts';
import { answerFor } from '../../read/encode.ts';
import { documentsById } from '../../read/index.ts';
import type { ListIntent } from '../../read/intents.ts';
import type { Change, History } from '../../realtime/changes/contract.ts';
import type { Places } from './positions.ts';
import { makeVisibility, type Visibility } from './visibility.ts';

/** Changes that one answer is made of: many changes may be of one document, or of none that the caller reads. */
const maxRead = 5000;

interface Asked {
  readonly intent: ListIntent;
  readonly places: Places;
  readonly position: string;
}

/** A document that has changed. */
interface Changed {
  /** Whether its first change made it, or made it visible. */
  readonly isNew: boolean;
  /** Whether the caller could read it at any time since; undefined where that is not known. */
  readonly wasVisible: boolean | undefined;
}

interface Collected {
  /** By the texts of ids, in the order of the last changes. */
  readonly documents: ReadonlyMap<string, Changed>;
  /** The position after them. */
  readonly position: string;
  /** Whether there are later changes. */
  readonly more: boolean;
}

/**
 * Each document once, as it is now: with its content where the caller may read it, as deleted where they could and may not any more, and
 * not at all otherwise.
 * @throws 410 for a position that is too old, and where it is unknown whether the caller could read a document
 */
export async function changesSince(actor: ModelActor, { intent, places, position }: Asked): Promise<EncodedAnswer> {
  const { model, services } = actor;
  const feed = services.of(changeFeed);
  await feed.ensureDelivered(model);
  const history = await feed.since(position, { model, id: undefined });
  try {
    const collected = await collect(history, makeVisibility(intent), intent.page.limit ?? maxRead);
    return await encode(actor, intent, { ...collected, position: places.seal({ position: collected.position }) });
  } finally {
    await history.close();
  }
}

async function collect(history: History, visibility: Visibility, limit: number): Promise<Collected> {
  const documents = new Map<string, Changed>();
  let [read, position] = [0, ''];
  for await (const change of history.acknowledged()) {
    const known = documents.get(change.id);
    if (read === maxRead || (known === undefined && documents.size === limit))
      return { documents, position, more: true };
    // again at the end, where the last change is
    documents.delete(change.id);
    documents.set(change.id, joined(known, change, visibility));
    position = change.position;
    read += 1;
  }
  return { documents, position: history.position(), more: false };
}

function joined(known: Changed | undefined, change: Change, visibility: Visibility): Changed {
  const before = visibility.before(change);
  return {
    isNew: known?.isNew ?? (change.event === 'post' || before === false),
    wasVisible: either(known?.wasVisible ?? false, either(before, visibility.after(change))),
  };
}

/** Whether one of two is true; undefined where that is not known. */
function either(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  if (one === true || other === true) return true;
  return one === undefined || other === undefined ? undefined : false;
}

const closingBracket = 0x5d;

async function encode(actor: ModelActor, intent: ListIntent, collected: Collected): Promise<EncodedAnswer> {
  const { documents, position, more } = collected;
  const { idType } = actor.model;
  const shown = await documentsById(actor, intent, [...documents.keys()]);
  const out = answerFor([shown.bytes], actor.services.settings.query_limits.max_response_size);
  out.ascii('{"data":[');
  for (const [id, { isNew, wasVisible }] of documents) {
    const range = shown.positions.get(id);
    if (range === undefined && wasVisible === undefined) throw historyGone();
    if (range === undefined && wasVisible === false) continue;
    const event = range === undefined ? 'del' : isNew ? 'post' : 'put';
    out.json(`{"event":"${event}","id":${JSON.stringify(jsonId(idType, id))}`);
    if (range !== undefined) {
      out.ascii(',"item":');
      out.copy(shown.bytes, ...range);
    }
    out.ascii('}');
    out.comma();
  }
  out.close(closingBracket);
  out.json(`,"position":${JSON.stringify(position)},"more":${String(more)}}`);
  return { body: out.written, headers: {} };
}
