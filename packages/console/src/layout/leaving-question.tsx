/** Asks before unsaved work is discarded. */
import { useQuestion } from '../leaving.ts';
import { Confirm } from '../parts/confirm.tsx';

export function LeavingQuestion() {
  const question = useQuestion();
  return (
    <Confirm
      isOpen={question !== undefined}
      close={() => question?.keep()}
      title="Discard your changes?"
      action="Discard"
      act={() => question?.discard()}
    >
      What you have changed here is not saved.
    </Confirm>
  );
}
