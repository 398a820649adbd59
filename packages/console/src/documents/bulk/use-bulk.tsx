/** Writes to the chosen documents, in parts: how far they have come, what is refused, and an undo. */
import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { BatchAnswer, BatchOperation } from 'dossier-client';
import { type ReactNode, useRef, useState } from 'react';
import { type Document, titleOf } from '../../api/fields.ts';
import { type OwnModel, useModels } from '../../api/models.ts';
import { withLinks, wordsOfRefusal } from '../../api/server-words.ts';
import { maxOperations, type Refusal, writeParts } from '../../api/writes.ts';
import { documentsText } from '../../parts/count.ts';
import { showFailure } from '../../parts/run.ts';
import { offerUndo } from '../../parts/undo.tsx';

/** A document and what the server has answered to its write. */
export interface Written {
  readonly document: Document;
  readonly answer: BatchAnswer;
}

export interface Work {
  readonly documents: readonly Document[];
  readonly operation: (document: Document) => BatchOperation;
  /** What is reported when it is done. @param count such as “3 documents” */
  readonly report: (count: string) => string;
  /** Takes it back; undefined where that is not possible. */
  readonly undo?: (written: readonly Written[]) => (() => Promise<unknown>) | undefined;
}

/** @returns how many documents were written */
export type Bulk = (work: Work) => Promise<number>;

type State =
  | { readonly is: 'running'; readonly sent: number; readonly total: number }
  | { readonly is: 'asking'; readonly refused: Named; readonly written: number; readonly answer: (go: boolean) => void }
  | { readonly is: 'refused'; readonly all: readonly Named[] };

/** A refusal with the title of its document. */
interface Named {
  readonly title: string;
  readonly reason: string;
}

/** @param reread reads the list again */
export function useBulk(model: OwnModel, reread: () => void): { readonly bulk: Bulk; readonly dialog: ReactNode } {
  const models = useModels().data;
  const [state, setState] = useState<State>();
  const isStopped = useRef(false);
  const bulk: Bulk = async ({ documents, operation, report, undo }) => {
    const named = ({ at, body }: Refusal): Named => ({
      title: titleIn(documents[at], model),
      reason: withLinks(wordsOfRefusal(body, model), models),
    });
    const total = documents.length;
    let written = 0;
    isStopped.current = false;
    const { answers, refused, error } = await writeParts(documents.map(operation), {
      next: (sent) => {
        written = sent;
        if (total > maxOperations) setState({ is: 'running', sent, total });
        return !isStopped.current;
      },
      goOn: (one) => new Promise((answer) => setState({ is: 'asking', refused: named(one), written, answer })),
    });
    const isAsked = refused.length === 1 && answers.size === written;
    setState(refused.length === 0 || isAsked ? undefined : { is: 'refused', all: refused.map(named) });
    if (error !== undefined) showFailure(error);
    reread();
    if (answers.size === 0) return 0;
    const all = documents.flatMap((document, at): Written[] => {
      const answer = answers.get(at);
      return answer === undefined ? [] : [{ document, answer }];
    });
    const back = undo?.(all);
    const said = report(documentsText(answers.size));
    if (back === undefined) notifications.show({ message: said });
    else offerUndo(said, () => back().finally(reread));
    return answers.size;
  };
  const close = (): void => setState(undefined);
  return { bulk, dialog: <BulkDialog state={state} stop={() => (isStopped.current = true)} close={close} /> };
}

const titleIn = (document: Document | undefined, model: OwnModel): string =>
  document === undefined ? '' : titleOf(document, model);

interface DialogParts {
  readonly state: State | undefined;
  readonly stop: () => void;
  readonly close: () => void;
}

/** Above the form that has begun the writes. */
const aboveForm = 300;

function BulkDialog({ state, stop, close }: DialogParts) {
  if (state?.is === 'running')
    return (
      <Modal
        opened
        onClose={stop}
        title="Writing"
        zIndex={aboveForm}
        withCloseButton={false}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text role="status">
            {state.sent} of {documentsText(state.total)}
          </Text>
          <Progress value={(100 * state.sent) / state.total} aria-label="Progress of the writes" />
          <Group justify="flex-end">
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          </Group>
        </Stack>
      </Modal>
    );
  if (state?.is === 'asking')
    return (
      <Modal opened onClose={() => state.answer(false)} title="One is refused" zIndex={aboveForm}>
        <Stack>
          <Refusals all={[state.refused]} />
          <Text size="sm">
            {state.written === 0 ? 'Nothing has been written.' : `${documentsText(state.written)} have been written.`}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => state.answer(false)}>
              {state.written === 0 ? 'Cancel' : 'Stop'}
            </Button>
            <Button onClick={() => state.answer(true)}>Go on with the others</Button>
          </Group>
        </Stack>
      </Modal>
    );
  return (
    <Modal opened={state !== undefined} onClose={close} title="Not all are written" zIndex={aboveForm}>
      {state === undefined ? null : <Refusals all={state.all} />}
    </Modal>
  );
}

/** Refusals that are shown. */
const maxShown = 100;

const Refusals = ({ all }: { readonly all: readonly Named[] }) => (
  <>
    <List size="sm" className="anywhere">
      {all.slice(0, maxShown).map(({ title, reason }, at) => (
        <List.Item key={at}>
          <b>{title}</b>: {reason}
        </List.Item>
      ))}
    </List>
    {all.length > maxShown ? <Text size="sm">And {documentsText(all.length - maxShown)} more.</Text> : null}
  </>
);
