/**
 * Saves a document. No other change is overwritten: the server refuses a write over another revision than the one that was read.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client, statusOf } from '../api/client.ts';
import { isSecret, valueAt } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { pathTo } from '../documents/bulk/write-many.ts';
import { run } from '../parts/run.ts';
import { offerUndo } from '../parts/undo.tsx';
import { type Edits, updateOf } from './edits.ts';
import { readRevision, type Revision, useChanges } from './use-document.ts';

/** @throws DossierError 412 when another user has changed the document */
async function save(model: string, { document, tag }: Revision, changes: Edits): Promise<void> {
  const headers = tag === undefined ? {} : { 'if-match': tag };
  await client.request(pathTo(model, document._id), { method: 'PATCH', body: updateOf(changes), headers });
}

/** The values that changes replace. */
const replacedBy = ({ document }: Revision, changes: Edits): Edits =>
  new Map([...changes.keys()].map((path) => [path, valueAt(document, path) ?? null]));

/** Gives a document back the values that it had, over whatever revision there is now. */
async function writeBack(model: string, id: string, before: Edits): Promise<void> {
  await save(model, await readRevision(model, id), before);
}

interface SavingParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
  readonly changes: Edits;
  /** Forgets what was edited. */
  readonly clear: () => void;
}

interface Saving {
  /** The other revision that conflicts with the changes. */
  readonly theirs: Revision | undefined;
  /** Whether another user has changed the document since it was read. */
  readonly isOutdated: boolean;
  /** Writes the changes over a revision; where there is a newer one, that is in `theirs` afterwards. */
  readonly write: (over: Revision) => Promise<void>;
  readonly compare: () => void;
  readonly drop: () => void;
}

export function useSaving({ model: { name }, revision, reload, changes, clear }: SavingParts): Saving {
  const { _id: id } = revision.document;
  const queries = useQueryClient();
  const [theirs, setTheirs] = useState<Revision>();
  const [isOld, setOld] = useState(false);
  const isSaving = useRef(false);
  useChanges(name, id, () => {
    if (isSaving.current) return;
    if (changes.size === 0) reload();
    else setOld(true);
  });
  const done = async (): Promise<void> => {
    clear();
    setTheirs(undefined);
    setOld(false);
    await queries.invalidateQueries({ queryKey: ['document', name, id] });
  };
  const compare = async (): Promise<void> => setTheirs(await readRevision(name, id));
  const write = async (over: Revision): Promise<void> => {
    isSaving.current = true;
    try {
      await save(name, over, changes);
      const before = replacedBy(over, changes);
      await done();
      // a password cannot be set to what it was
      if (![...before.keys()].some(isSecret)) offerUndo('Saved.', () => writeBack(name, id, before).then(done));
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
      await compare();
    } finally {
      isSaving.current = false;
    }
  };
  return {
    theirs,
    isOutdated: isOld && theirs === undefined,
    write,
    compare: () => run(compare),
    drop: () => run(done),
  };
}
