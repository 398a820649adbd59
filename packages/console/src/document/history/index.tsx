/** What happened to a document: each entry in words, and a way back to what the document was after it. */
import { Button, Group, Stack, Text, Timeline } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from 'dossier-client';
import { client } from '../../api/client.ts';
import { type OwnModel, useRightsOn } from '../../api/models.ts';
import { dateText, exactText, relativeText } from '../../parts/dates.ts';
import { showFailure } from '../../parts/run.ts';
import { Empty, Loaded } from '../../parts/states.tsx';
import { offerUndo } from '../../parts/undo.tsx';
import { readRevision, type Revision, useChanges } from '../use-document.ts';
import { ChangeWords } from './change-words.tsx';
import { byDay, revertedText, shownEntries, type ShownEntry } from './entries.ts';
import { useTitlesIn } from './titles-in.ts';
import { Titles } from './value-words.tsx';

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
  const shown = shownEntries(model, entries);
  const steps = shown.flatMap((one) => one.steps);
  const { nameOf, titleOf } = useTitlesIn(
    model,
    steps,
    entries.flatMap(({ who, by, for: person }) => [who, by ?? null, person ?? null]),
  );
  const revert = useRevert({ model, revision, reload: () => (reload(), void list.refetch()) });
  const mayRevert = useMayRevert(model, revision);
  const [latest] = entries;
  const isRevertible = (entry: HistoryEntry): boolean => mayRevert && entry !== latest && entry.op !== 'remove';
  return (
    <Loaded of={list}>
      {() => (
        <Titles value={titleOf}>
          <Stack align="flex-start">
            {latest === undefined ? <Empty>Nothing is recorded. Each change from now on is.</Empty> : null}
            {byDay(shown).map(([day, ofDay]) => (
              <Day
                key={day}
                {...{ model, day, nameOf, isRevertible }}
                entries={ofDay}
                revert={(rev) => (latest === undefined ? undefined : revert(rev, latest.rev))}
              />
            ))}
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
        </Titles>
      )}
    </Loaded>
  );
}

interface DayParts {
  readonly model: OwnModel;
  readonly day: string;
  readonly entries: readonly ShownEntry[];
  readonly nameOf: (id: string | null) => string;
  readonly isRevertible: (entry: HistoryEntry) => boolean;
  readonly revert: (rev: number) => void;
}

const Day = ({ model, day, entries, nameOf, isRevertible, revert }: DayParts) => (
  <section aria-label={day}>
    <Text size="sm" c="dimmed" fw={500} mb="xs" className="day">
      {day}
    </Text>
    <Timeline bulletSize={12} lineWidth={2} aria-label={`History, ${day}`} role="list" maw={720}>
      {entries.map(({ entry, steps }) => (
        <Timeline.Item key={entry.rev} role="listitem" title={<Head entry={entry} nameOf={nameOf} />}>
          <ChangeWords {...{ model, steps }} />
          {entry.omitted === true ? (
            <Text size="sm" c="dimmed">
              The changes are too large to be shown.
            </Text>
          ) : null}
          {isRevertible(entry) ? (
            <Button
              size="compact-xs"
              variant="default"
              mt={4}
              aria-label={`Revert to this, entry ${entry.rev}`}
              onClick={() => revert(entry.rev)}
            >
              Revert to this
            </Button>
          ) : null}
        </Timeline.Item>
      ))}
    </Timeline>
  </section>
);

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
  const revertTo = (rev: number, ifMatch: string | undefined): Promise<{ readonly kept: readonly string[] }> =>
    documents.revert(id, rev, ifMatch === undefined ? {} : { ifMatch }).finally(reload);
  const revert = async (rev: number, latest: number): Promise<void> => {
    const { kept } = await revertTo(rev, tag);
    const now = await readRevision(model.name, id);
    offerUndo(revertedText(model, kept), () => revertTo(latest, now.tag));
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

/** Who it was, and as whom or for whom. */
function actorText(
  { by, for: person, who }: Pick<ShownEntry['entry'], 'by' | 'for' | 'who'>,
  nameOf: HeadParts['nameOf'],
): string {
  if (person !== undefined) return `${nameOf(who)}, for ${nameOf(person)},`;
  return by === undefined ? nameOf(who) : `${nameOf(by)}, as ${nameOf(who)},`;
}

const Head = ({ entry: { at, op, via, ...entry }, nameOf }: HeadParts) => (
  <Group gap={6}>
    <Text size="sm" className="anywhere">
      <bdi>{actorText(entry, nameOf)}</bdi> {done[op]}
      {via === null ? '' : ` (${via})`}
    </Text>
    <Text size="xs" c="dimmed" component="time" dateTime={at} title={exactText(at)} data-printed={dateText(at)}>
      {relativeText(at)}
    </Text>
  </Group>
);
