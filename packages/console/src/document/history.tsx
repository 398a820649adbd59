/** What happened to a document: each entry in words, and a way back to what the document was after it. */
import { Button, Group, List, Stack, Text, Timeline } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryChange, HistoryEntry } from 'dossier-client';
import { client } from '../api/client.ts';
import { labelOf } from '../api/labels.ts';
import { type OwnModel, useRightsOn } from '../api/models.ts';
import { useNames } from '../api/user-names.ts';
import { dateText, exactText, relativeText } from '../parts/dates.ts';
import { showFailure } from '../parts/run.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { offerUndo } from '../parts/undo.tsx';
import { readRevision, type Revision, useChanges } from './use-document.ts';

interface HistoryParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
}

export function History({ model, revision, reload }: HistoryParts) {
  const id = String(revision.document._id);
  const list = useInfiniteQuery({
    queryKey: ['history', model.name, id],
    queryFn: ({ pageParam: after, signal }) =>
      client.model(model.name).history(id, { signal, ...(after === undefined ? {} : { after }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
  useChanges(model.name, id, () => void list.refetch());
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const nameOf = useNames(entries.flatMap(({ who, by }) => [who, by ?? null]));
  const revert = useRevert({ model, revision, reload: () => (reload(), void list.refetch()) });
  const mayRevert = useMayRevert(model, revision);
  const [latest] = entries;
  return (
    <Loaded of={list}>
      {() => (
        <Stack align="flex-start">
          {latest === undefined ? <Empty>Nothing is recorded.</Empty> : null}
          <Timeline bulletSize={12} lineWidth={2} aria-label="History" role="list" maw={720}>
            {entries.map((entry) => (
              <Timeline.Item key={entry.rev} role="listitem" title={<Head entry={entry} nameOf={nameOf} />}>
                <Changes model={model} entry={entry} />
                {mayRevert && latest !== undefined && entry !== latest && entry.op !== 'remove' ? (
                  <Button
                    size="compact-xs"
                    variant="default"
                    mt={4}
                    aria-label={`Revert to this, entry ${entry.rev}`}
                    onClick={() => revert(entry.rev, latest.rev)}
                  >
                    Revert to this
                  </Button>
                ) : null}
              </Timeline.Item>
            ))}
          </Timeline>
          {list.hasNextPage ? (
            <Button
              size="xs"
              variant="default"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Earlier entries
            </Button>
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}

/** The server gives the rights on one document only while it is not deleted; then, those on the model decide. */
function useMayRevert(model: OwnModel, { document }: Revision): boolean {
  const rights = useRightsOn(model.name, String(document._id)).data;
  return document['_deleted'] === true ? model.rights.rows.u !== 'none' : rights?.rows.u === true;
}

/** Reverts for the revision that was read, and offers the way back, which no later change is lost by. */
function useRevert({
  model,
  revision: { document, tag },
  reload,
}: HistoryParts): (rev: number, latest: number) => void {
  const id = String(document._id);
  const documents = client.model(model.name);
  const revertTo = (rev: number, ifMatch: string | undefined): Promise<unknown> =>
    documents.revert(id, rev, ifMatch === undefined ? {} : { ifMatch }).finally(reload);
  const revert = async (rev: number, latest: number): Promise<void> => {
    await revertTo(rev, tag);
    const now = await readRevision(model.name, id);
    offerUndo('The document is reverted.', () => revertTo(latest, now.tag));
  };
  return (rev, latest) => void revert(rev, latest).catch(showFailure);
}

interface HeadParts {
  readonly entry: HistoryEntry;
  readonly nameOf: (id: string | null) => string;
}

const done: Readonly<Record<HistoryEntry['op'], string>> = {
  create: 'created it',
  change: 'changed it',
  delete: 'deleted it',
  restore: 'restored it',
  remove: 'removed it permanently',
};

const Head = ({ entry: { at, by, op, via, who }, nameOf }: HeadParts) => (
  <Group gap={6}>
    <Text size="sm" className="anywhere">
      <bdi>{by === undefined ? nameOf(who) : `${nameOf(by)}, as ${nameOf(who)},`}</bdi> {done[op]}
      {via === null ? '' : ` (${via})`}
    </Text>
    <Text size="xs" c="dimmed" component="time" dateTime={at} title={exactText(at)}>
      {relativeText(at)}
    </Text>
  </Group>
);

function Changes({ model, entry: { changes } }: { readonly model: OwnModel; readonly entry: HistoryEntry }) {
  if (changes.length === 0) return null;
  return (
    <List size="sm" listStyleType="none" withPadding={false}>
      {changes.map((change) => (
        <List.Item key={change.path} className="anywhere">
          <ChangeWords model={model} change={change} />
        </List.Item>
      ))}
    </List>
  );
}

function ChangeWords({
  model,
  change: { path, from, to },
}: {
  readonly model: OwnModel;
  readonly change: HistoryChange;
}) {
  const field = model.fields[path.replace(/\.\d+(?=\.|$)/g, '')];
  const value = (given: unknown) => <Value text={textOf(given, field?.input === 'date')} />;
  const name = <b>{nameOf(model, path)}</b>;
  if (isNothing(from))
    return isNothing(to) ? (
      <>changed {name}</>
    ) : (
      <>
        set {name} to {value(to)}
      </>
    );
  if (isNothing(to))
    return (
      <>
        removed {name}, which was {value(from)}
      </>
    );
  return (
    <>
      changed {name} from {value(from)} to {value(to)}
    </>
  );
}

/** The name of a path, with the positions in lists that it has. */
function nameOf(model: OwnModel, path: string): string {
  const positions = path.split('.').filter((part) => /^\d+$/.test(part));
  const label = labelOf(model, path.replace(/\.\d+(?=\.|$)/g, ''));
  return [label, ...positions.map((at) => Number(at) + 1)].join(' ');
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

const maxLength = 300;

/** A value, whose text may have any direction. */
const Value = ({ text }: { readonly text: string }) => (
  <bdi className="value" title={text.length > maxLength ? text : undefined}>
    {text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}
  </bdi>
);

function textOf(value: unknown, isDate: boolean): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return isDate ? dateText(value) : `“${value}”`;
}
