/**
 * Saves a document. No other change is overwritten: the server refuses a write over another revision than the one that was read.
 */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { statusOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { run } from '../parts/run.ts';
import { offerUndo } from '../parts/undo.tsx';
import type { Edits } from './edits.ts';
import { changeOf, undoChanges } from './undoing.ts';
import { isOther, readRevision, type Revision, saveRevision, useChanges, withAnswer } from './use-document.ts';

interface SavingParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
  readonly changes: Edits;
  /** Discards the edits. */
  readonly clear: () => void;
  /** Discards those that were sent: what is typed meanwhile stays. */
  readonly saved: () => void;
}

interface Saving {
  /** The other revision that conflicts with the changes. */
  readonly theirs: Revision | undefined;
  /** Who has changed the document since it was read; null where that is not known, undefined while it has not changed. */
  readonly changedBy: string | null | undefined;
  /** Writes the changes, or some of them, over a revision; where there is a newer one, that is in `theirs` afterwards. */
  readonly write: (over: Revision, chosen?: Edits) => Promise<void>;
  readonly compare: () => void;
  readonly drop: () => void;
}

export function useSaving({ model: { name }, revision, reload, changes, clear, saved }: SavingParts): Saving {
  const id = String(revision.document._id);
  const queries = useQueryClient();
  const [theirs, setTheirs] = useState<Revision>();
  const [changer, setChanger] = useState<string | null>();
  const isSaving = useRef(false);
  const changed = (user: string | null): void => {
    if (isSaving.current) return;
    if (changes.size === 0) return reload();
    // the event of an own change may come after its answer
    void isOther(name, id, revision.tag).then((is) => (is && !isSaving.current ? setChanger(user) : undefined));
  };
  useChanges(name, id, changed, revision.tag);
  const queryKey = ['document', name, id];
  const reread = async (): Promise<void> => {
    setTheirs(undefined);
    setChanger(undefined);
    await queries.invalidateQueries({ queryKey });
  };
  const compare = async (): Promise<void> => setTheirs(await readRevision(name, id));
  const write = async (over: Revision, chosen = changes): Promise<void> => {
    isSaving.current = true;
    try {
      const answered = await saveRevision(name, over, chosen);
      const change = changeOf(chosen, over.document, answered);
      // until the document has been read with its new tag
      queries.setQueryData<Revision>(queryKey, (now) => withAnswer(now, answered));
      saved();
      await reread();
      if (change === undefined) notifications.show({ message: 'Saved.' });
      else offerUndo('Saved.', () => undoChanges(name, [change]).then(reread));
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
      await compare();
    } finally {
      isSaving.current = false;
    }
  };
  const changedBy = theirs === undefined ? changer : undefined;
  return { theirs, changedBy, write, compare: () => run(compare), drop: () => run(() => (clear(), reread())) };
}
