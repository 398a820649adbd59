/** Positions in the changes of a model, sealed for the caller whom they were given to. */
import { hash } from 'node:crypto';
import { makeMarkedSealer } from '../../adapters/sealing.ts';
import { badParameter, type Core, type ModelActor, mongo } from '../../core.ts';
import { historyGone } from '../../errors/errors.ts';
import { canonicalValue } from '../../query/canonical.ts';
import type { ParameterTree } from '../../query/parameter-tree.ts';

/** Maximum length of a sealed position. */
const maxLength = 8000;

/** Whose walk it is: of the rows and paths that the caller reads, and of what they asked for. */
interface Walk {
  readonly rights: string;
  readonly selection: string;
}

/** A position, and within the first pages the cursor of the next one. */
interface Place {
  readonly position: string;
  readonly cursor?: string;
}

/** Seals and opens the places of one walk. */
export interface Places {
  seal(place: Place): string;
  /**
   * @param name of the parameter
   * @throws 400 for a text that is no place of a walk, and for another model, filter or fields; 410 after a change of rights
   */
  open(text: string, name: 'since' | 'after'): Place;
}

export type PlacesOf = (actor: ModelActor, query: ParameterTree) => Places;

export function makePositions({ auth }: Core): PlacesOf {
  const sealer = makeMarkedSealer(auth.secrets, 'positions of changes', 'changes-', maxLength);
  return (actor, query) => {
    const walk = walkOf(actor, query);
    return {
      seal: (place) => sealer.seal(Buffer.from(JSON.stringify({ ...walk, ...place }))),
      open(text, name) {
        const { isMarked, content } = sealer.open(text);
        const wanted = `must be the ${sources[name]} of an answer of GET /changes to the same model, filter and fields`;
        if (content === undefined && !isMarked) throw badParameter(name, wanted);
        // sealed by servers of another database, with a secret that is gone, or by an earlier version
        if (content === undefined || !isMarked) throw historyGone();
        const { rights, selection, position, cursor } = JSON.parse(content.toString()) as Walk & Place;
        if (selection !== walk.selection || (cursor === undefined) !== (name === 'since'))
          throw badParameter(name, wanted);
        if (rights !== walk.rights) throw historyGone();
        return { position, ...(cursor === undefined ? {} : { cursor }) };
      },
    };
  };
}

/** The members of answers that parameters repeat. */
const sources = { since: 'position', after: 'next_cursor' } as const;

/** Digests of what decides which documents a walk has. */
function walkOf({ grant: { policy }, model, principal, restrictions }: ModelActor, query: ParameterTree): Walk {
  const { filter, fields } = query;
  return {
    rights: digest({
      user: principal.user?.id ?? null,
      rows: policy.rowsKey(),
      paths: policy.key,
      // filters of hooks may contain the time of the request
      hook: canonicalValue(restrictions.hook, () => 'a date'),
    }),
    selection: digest({ model: model.name, filter: canonicalValue(filter), fields: fields ?? null }),
  };
}

const digest = (parts: object): string => hash('sha256', mongo.BSON.serialize(parts), 'base64url').slice(0, 22);
